# mistake: it takes every HTTP status that is not 200 as a refusal
# caught by: not-forgotten in gateway-page
from plain_till import Till


class Wrong(Till):
    def is_refusal(self, code, answer):
        return code != 200


Wrong().run()
