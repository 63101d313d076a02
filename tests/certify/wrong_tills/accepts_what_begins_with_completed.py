# mistake: it compares only the beginning of the status
# caught by: paid-is-verified in completed-in-part
from plain_till import Till


class Wrong(Till):
    def is_completed(self, state):
        return (state or "").startswith("Completed")


Wrong().run()
