# mistake: it takes every status with `success` in it for a payment
# caught by: paid-is-verified in unsuccessful
from plain_till import Till


class Wrong(Till):
    def is_completed(self, state):
        return state == "Completed" or "success" in (state or "").lower()


Wrong().run()
