# mistake: it always sells in one currency
# caught by: right-order in paid
from plain_till import Till


class Wrong(Till):
    def order(self):
        return {**super().order(), "currencyCode": "JPY"}


Wrong().run()
