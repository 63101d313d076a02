# mistake: after a failed payment it creates a second order, while the first one can still be paid
# caught by: one-order in failed-then-paid
from plain_till import Till


class Wrong(Till):
    def not_completed(self, state):
        if state == "Failed" and not self.order_id.endswith("-2"):
            self.order_id += "-2"
            self.show(self.send_order()["url"])
        return "open"


Wrong().run()
