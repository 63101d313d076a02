# mistake: it asks only when the browser comes back, and then never again
# caught by: not-forgotten in paid-browser-closed
from plain_till import Till


class Wrong(Till):
    def wait(self):
        for _ in self.return_urls():
            return self.ask_once()
        return "open"


Wrong().run()
