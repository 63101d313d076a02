# mistake: it sends again at once after a 429
# caught by: waits-when-told in rate-limited
import time

from plain_till import Till


class Wrong(Till):
    def wait_after_429(self, headers):
        time.sleep(0.05)
        return True


Wrong().run()
