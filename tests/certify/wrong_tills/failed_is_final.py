# mistake: it takes a failed payment as the end, but the customer can try again on the same page
# caught by: not-forgotten in failed-then-paid
from plain_till import Till


class Wrong(Till):
    def not_completed(self, state):
        return "not_paid" if state == "Failed" else "open"


Wrong().run()
