# mistake: it sends the same customer for each sale
# caught by: right-order in paid
from plain_till import Till


class Wrong(Till):
    def order(self):
        return {**super().order(), "customerEmail": "nobody@shop.example"}


Wrong().run()
