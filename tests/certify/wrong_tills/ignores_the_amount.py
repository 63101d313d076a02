# mistake: it does not compare the amount at all
# caught by: paid-is-verified in wrong-amount
from plain_till import Till


class Wrong(Till):
    def is_amount(self, status):
        return True


Wrong().run()
