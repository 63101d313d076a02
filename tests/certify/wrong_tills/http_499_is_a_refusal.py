# mistake: it takes every code from 400 to 499 for a refusal
# caught by: not-forgotten in http-499
from plain_till import Till


class Wrong(Till):
    def is_refusal(self, code, answer):
        return code == 499 or super().is_refusal(code, answer)


Wrong().run()
