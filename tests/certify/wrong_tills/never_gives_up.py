# mistake: it asks until the customer has paid, without a time limit
# caught by: in-time in never-pays
from plain_till import Till


class Wrong(Till):
    def left(self):
        return 3600


Wrong().run()
