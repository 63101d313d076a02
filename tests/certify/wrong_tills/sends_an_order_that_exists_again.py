# mistake: it sends an order again that exists, to get its checkout URL
# caught by: asked-first in lost-after
from plain_till import Till


class Wrong(Till):
    def after_unknown(self):
        self.ask(self.query())
        try:
            return self.send_order()
        except Exception:
            return {"state": "unknown"}


Wrong().run()
