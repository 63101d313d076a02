# mistake: it takes every status that it does not know as failed
# caught by: not-forgotten in unknown-status
from plain_till import Till


class Wrong(Till):
    def is_closed(self, state):
        return state not in ("Completed", "Pending")


Wrong().run()
