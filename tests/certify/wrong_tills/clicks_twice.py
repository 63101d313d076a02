# mistake: it has no lock, so two clicks send the order twice
# caught by: asked-first in double-click
# also: not-forgotten
from plain_till import Till


class Wrong(Till):
    def sell(self):
        state = self.recall()
        if state["state"] in ("new", "sending"):
            state = self.create()
        if state.get("url"):
            self.show(state["url"])
            return self.wait()
        return self.ask_once()


Wrong().run()
