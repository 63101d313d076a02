# mistake: it forgets a sale that it has called not paid, and sells again when it is started again
# caught by: one-order in payment-cancelled
import os

from plain_till import Till


class Wrong(Till):
    def __init__(self):
        super().__init__()
        if os.path.exists("not_paid"):
            self.order_id += "-2"

    def not_completed(self, state):
        if state == "Cancelled":
            open("not_paid", "w").close()
            os.remove(self.state_file)
            return "not_paid"
        return "open"


Wrong().run()
