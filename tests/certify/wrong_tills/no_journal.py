# mistake: it forgets its order, and takes "this order id is used" for a refusal after a restart
# caught by: not-forgotten in restart-after-payment
# also: asked-first
from plain_till import Till, Unknown


class Wrong(Till):
    def recall(self):
        return {"state": "new"}

    def send_order(self):
        try:
            return super().send_order()
        except Unknown as error:
            if "409" in str(error):
                return {"state": "rejected"}
            raise


Wrong().run()
