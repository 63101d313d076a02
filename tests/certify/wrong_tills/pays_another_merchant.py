# mistake: it has a merchant id of its own
# caught by: right-order in paid
from plain_till import Till


class Wrong(Till):
    def order(self):
        return {**super().order(), "merchantId": "M-OF-THE-TEST"}


Wrong().run()
