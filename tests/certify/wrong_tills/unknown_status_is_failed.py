# mistake: it takes every status that it does not know as failed
# caught by: not-forgotten in unknown-status
from plain_till import Till


class Wrong(Till):
    def not_completed(self, state):
        return "open" if state in ("Pending", "Failed") else "not_paid"


Wrong().run()
