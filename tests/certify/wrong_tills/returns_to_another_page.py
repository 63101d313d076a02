# mistake: it has a return URL of its own
# caught by: right-order in paid
from plain_till import Till


class Wrong(Till):
    def order(self):
        return {**super().order(), "redirectionURL": "https://old-shop.example/return"}


Wrong().run()
