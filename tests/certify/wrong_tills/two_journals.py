# mistake: each process has a journal of its own, and takes the next order id if one is used
# caught by: one-order in double-click
# also: asked-first, not-forgotten, right-verdict
import os

from plain_till import AnotherTills, Till


class Wrong(Till):
    def __init__(self):
        super().__init__()
        self.state_file += f".{os.getpid()}"

    def send_order(self):
        try:
            return super().send_order()
        except AnotherTills:
            self.order_id += "-2"
            return super().send_order()


Wrong().run()
