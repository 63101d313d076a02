# mistake: it prints its verdict as JSON on several lines
# caught by: right-verdict in paid
import json

from plain_till import Till


class Wrong(Till):
    def run(self):
        print(json.dumps({"verdict": self.sell()}, indent=2))


Wrong().run()
