# mistake: it takes "no such order" as the proof that the order does not exist
# caught by: right-verdict in lost-before
# also: not-forgotten
from plain_till import NOT_KNOWN, Till


class Wrong(Till):
    def after_unknown(self):
        if self.ask(self.query()) == NOT_KNOWN:
            return {"state": "not_sent"}
        return {"state": "unknown"}


Wrong().run()
