# mistake: it looks for full refunds only
# caught by: paid-is-verified in refunded-in-part
from plain_till import Till


class Wrong(Till):
    def is_kept(self, status):
        return status.get("refundType") != "Full"


Wrong().run()
