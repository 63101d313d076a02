# mistake: it asks about another order, and sends its own again
# caught by: asked-first in lost-after
from plain_till import Till


class Wrong(Till):
    def after_unknown(self):
        self.ask({"searchType": "1", "orderId": "0"})
        try:
            return self.send_order()
        except Exception:
            return {"state": "unknown"}


Wrong().run()
