# mistake: it looks at refundStatus, and not at refundType
# caught by: paid-is-verified in refund-type-only
from plain_till import Till


class Wrong(Till):
    def is_kept(self, status):
        return not status.get("refundStatus")


Wrong().run()
