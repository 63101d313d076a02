# mistake: it catches the error of Get Status, and goes on as if nobody had paid
# caught by: not-forgotten in status-lost
from plain_till import Till


class Wrong(Till):
    def no_status(self):
        return "not_paid"


Wrong().run()
