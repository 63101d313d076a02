# mistake: it takes a gateway's time limit for a refusal
# caught by: not-forgotten in http-408
from plain_till import Till


class Wrong(Till):
    def is_refusal(self, code, answer):
        return code == 408 or super().is_refusal(code, answer)


Wrong().run()
