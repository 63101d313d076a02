# mistake: it asks for the transaction in the return URL, and does not look whose order it paid
# caught by: paid-is-verified in borrowed-return
from plain_till import Till


class Wrong(Till):
    def wait(self):
        for url in self.return_urls():
            transaction = self.transaction(url)
            query = {"searchType": "2", "orderId": "", "transactionId": transaction}
            status = self.ask(query)
            if status and self.judge(status) == "paid":
                return "paid"
        return super().wait()

    def is_this_order(self, status):
        return True


Wrong().run()
