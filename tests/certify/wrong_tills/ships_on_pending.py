# mistake: it hands over the goods when the payment is Pending
# caught by: paid-is-verified in never-pays
from plain_till import Till


class Wrong(Till):
    def is_completed(self, state):
        return state in ("Completed", "Pending")


Wrong().run()
