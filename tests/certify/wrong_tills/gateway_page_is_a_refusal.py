# mistake: it takes every HTTP status that is not 200 as a refusal
# caught by: not-forgotten in gateway-page
# also: waits-when-told
from plain_till import Till


class Wrong(Till):
    def code(self, status, answer):
        return super().code(status, answer) if status == 200 else 400


Wrong().run()
