# mistake: it uses one merchantTxnId for all orders
# caught by: right-order in repeated-return
# with: paid
from plain_till import Till


class Wrong(Till):
    def order(self):
        return {**super().order(), "merchantTxnId": "T-1"}


Wrong().run()
