# mistake: it looks for `complete` in the status
# caught by: paid-is-verified in incomplete
from plain_till import Till


class Wrong(Till):
    def is_completed(self, state):
        return "complete" in (state or "").lower()


Wrong().run()
