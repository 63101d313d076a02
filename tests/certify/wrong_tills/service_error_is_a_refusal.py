# mistake: it takes responseCode 500 for a refusal
# caught by: not-forgotten in service-error
from plain_till import Till


class Wrong(Till):
    def is_refusal(self, code, answer):
        return code == 500 or super().is_refusal(code, answer)


Wrong().run()
