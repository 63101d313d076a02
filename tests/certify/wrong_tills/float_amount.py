# mistake: it keeps the amount as a float
# caught by: right-amount in exact-amount
# also: right-verdict
from plain_till import Till


class Wrong(Till):
    def order(self):
        return {**super().order(), "amount": f"{float(self.amount):.2f}"}


Wrong().run()
