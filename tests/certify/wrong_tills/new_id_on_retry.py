# mistake: after a lost response it sends a second order with a new order id
# caught by: one-order in lost-after
# also: asked-first, right-verdict
from plain_till import NotSent, Till, Unknown


class Wrong(Till):
    def after_unknown(self):
        self.order_id += "-2"
        try:
            return self.send_order()
        except (NotSent, Unknown):
            return {"state": "unknown"}


Wrong().run()
