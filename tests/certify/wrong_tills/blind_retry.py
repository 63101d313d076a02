# mistake: after a lost response it sends the order again, without asking
# caught by: asked-first in lost-before
from plain_till import NotSent, Till, Unknown


class Wrong(Till):
    def after_unknown(self):
        for _ in range(3):
            try:
                return self.send_order()
            except (NotSent, Unknown):
                pass
        return {"state": "unknown"}


Wrong().run()
