# mistake: after a timeout it says that the order was not sent
# caught by: not-forgotten in timeout
# also: right-verdict
from plain_till import NotSent, Till, Unknown


class Wrong(Till):
    def send_order(self):
        try:
            return super().send_order()
        except Unknown as error:
            raise NotSent(error) from None


Wrong().run()
