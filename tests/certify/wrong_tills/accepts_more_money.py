# mistake: it takes more money than the goods cost
# caught by: paid-is-verified in overpaid
from plain_till import Till


class Wrong(Till):
    def is_amount(self, status):
        return float(status["amount"]) >= float(self.amount)


Wrong().run()
