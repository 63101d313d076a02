# mistake: it forgets its order, and sends it again after a crash before it asks
# caught by: asked-first in restart
from plain_till import Till


class Wrong(Till):
    def recall(self):
        return {"state": "new"}


Wrong().run()
