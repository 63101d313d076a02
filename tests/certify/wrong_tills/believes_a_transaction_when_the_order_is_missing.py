# mistake: when Get Status does not find the order, it asks for the transaction of the return URL
# caught by: paid-is-verified in borrowed-return-and-lost
from plain_till import NOT_KNOWN, Till


class Wrong(Till):
    asked = None

    def wait(self):
        for url in self.return_urls():
            for _ in range(2):
                if self.judge_either(self.transaction(url)) == "paid":
                    return "paid"
        return super().wait()

    def judge_either(self, transaction):
        status = self.ask(self.query())
        if status != NOT_KNOWN:
            return self.judge(status or {})
        query = {"searchType": "2", "orderId": "", "transactionId": transaction}
        status = self.ask(query) or {}
        return self.judge({**status, "orderId": self.order_id})


Wrong().run()
