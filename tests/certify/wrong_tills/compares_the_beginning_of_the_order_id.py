# mistake: an order whose id begins like this one is this one
# caught by: paid-is-verified in longer-order-id
from plain_till import Till


class Wrong(Till):
    def is_this_order(self, status):
        return status.get("orderId", "").startswith(self.order_id)


Wrong().run()
