# mistake: it hands over the goods twice for one payment
# caught by: handed-over-once in paid
from plain_till import Till


class Wrong(Till):
    def judge(self, status):
        verdict = super().judge(status)
        if verdict == "paid":
            print("handed over", flush=True)
            print("handed over", flush=True)
        return verdict


Wrong().run()
