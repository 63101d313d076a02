# mistake: it takes an error of the server for a refusal
# caught by: not-forgotten in http-500
from plain_till import Till


class Wrong(Till):
    def is_refusal(self, code, answer):
        return code == 500 or super().is_refusal(code, answer)


Wrong().run()
