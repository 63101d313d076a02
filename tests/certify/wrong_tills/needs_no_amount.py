# mistake: it does not compare an amount that is missing
# caught by: paid-is-verified in no-amount
from plain_till import Till


class Wrong(Till):
    def is_amount(self, status):
        return not status.get("amount") or super().is_amount(status)


Wrong().run()
