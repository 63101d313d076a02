# mistake: it does not look at refundStatus
# caught by: paid-is-verified in refunded
from plain_till import Till


class Wrong(Till):
    def is_kept(self, status):
        return True


Wrong().run()
