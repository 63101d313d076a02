# mistake: it believes the status in the return URL
# caught by: paid-is-verified in forged-everything
from plain_till import Till


class Wrong(Till):
    def wait(self):
        for url in self.return_urls():
            if "status=Completed" in url and "txn=" in url:
                return "paid"
        return super().wait()


Wrong().run()
