# mistake: it follows a redirect, and sends the order a second time
# caught by: asked-first in redirect
from plain_till import Till


class Wrong(Till):
    def post(self, path, body, headers, seconds):
        status, answered, answer = super().post(path, body, headers, seconds)
        if status == 307:
            return super().post(path, body, headers, seconds)
        return status, answered, answer


Wrong().run()
