# mistake: it cannot read its journal after a restart, and says that nothing was sent
# caught by: not-forgotten in damaged-files
import json
import sys

from plain_till import Till


class Wrong(Till):
    def recall(self):
        try:
            return super().recall()
        except ValueError as error:
            print(f"the state of the sale is damaged: {error}", file=sys.stderr)
            print(json.dumps({"verdict": "not_sent"}), flush=True)
            sys.exit(0)


Wrong().run()
