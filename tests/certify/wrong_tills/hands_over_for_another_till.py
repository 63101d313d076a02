# mistake: it hands over the goods for an order that another till has sent
# caught by: handed-over-once in two-tills
from plain_till import AnotherTills, Till


class Wrong(Till):
    def send_order(self):
        try:
            return super().send_order()
        except AnotherTills:
            return {"state": "created", "url": "the page of the other till"}


Wrong().run()
