# mistake: it takes the return URL as the proof of the payment
# caught by: paid-is-verified in forged-return
from plain_till import Till


class Wrong(Till):
    def wait(self):
        for url in self.return_urls():
            if self.transaction(url):
                return "paid"
        return super().wait()


Wrong().run()
