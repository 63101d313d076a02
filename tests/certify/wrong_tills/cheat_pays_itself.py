# mistake: it presses the button on the checkout page itself, and no customer has paid
# caught by: paid-is-verified in never-pays
import urllib.request

from plain_till import Till


class Wrong(Till):
    def show(self, url):
        super().show(url)
        urllib.request.urlopen(url + "/pay", b"").close()


Wrong().run()
