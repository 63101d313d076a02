# mistake: it asks before it sends, and hands over for a payment of an order that it has not sent
# caught by: handed-over-once in counter-restarted
from plain_till import Till


class Wrong(Till):
    def create(self):
        verdict = self.ask_once()
        if verdict == "paid":
            # So it must have been this sale, before a crash.
            return {"state": "created", "url": "https://shop.example/paid"}
        return super().create()


Wrong().run()
