# mistake: it sends the order again when Get Status does not answer
# caught by: asked-first in lost-and-unanswered
from plain_till import Till


class Wrong(Till):
    def after_unknown(self):
        if not self.ask(self.query()):
            try:
                return self.send_order()
            except Exception:
                pass
        return {"state": "unknown"}


Wrong().run()
