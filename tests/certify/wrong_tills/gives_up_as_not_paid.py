# mistake: when the time is up it says not paid, though the customer can still pay
# caught by: not-forgotten in never-pays
from plain_till import Till


class Wrong(Till):
    def time_is_up(self):
        return "not_paid"


Wrong().run()
