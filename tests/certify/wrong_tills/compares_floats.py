# mistake: it compares amounts as floating-point numbers
# caught by: paid-is-verified in huge-underpaid
from plain_till import Till


class Wrong(Till):
    def is_amount(self, status):
        return float(status["amount"]) == float(self.amount)


Wrong().run()
