# mistake: it does not look which order the status is about
# caught by: paid-is-verified in wrong-order
from plain_till import Till


class Wrong(Till):
    def is_this_order(self, status):
        return True


Wrong().run()
