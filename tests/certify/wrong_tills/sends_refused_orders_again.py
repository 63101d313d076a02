# mistake: it sends a refused order again and again
# caught by: stops-when-refused in rejected
from plain_till import Till


class Wrong(Till):
    def send_order(self):
        for _ in range(5):
            state = super().send_order()
            if state["state"] != "rejected":
                break
        return state


Wrong().run()
