# mistake: it compares whole rupees only
# caught by: paid-is-verified in wrong-amount
from plain_till import Till


class Wrong(Till):
    def is_amount(self, status):
        return int(float(status["amount"])) == int(float(self.amount))


Wrong().run()
