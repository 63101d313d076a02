# mistake: it says that the order is paid, and then that it is open
# caught by: one-verdict in paid
# also: right-verdict
from plain_till import Till


class Wrong(Till):
    def judge(self, status):
        verdict = super().judge(status)
        if verdict == "paid":
            print('{"verdict":"paid"}', flush=True)
            return "open"
        return verdict


Wrong().run()
