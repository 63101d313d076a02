# mistake: it computes with floats, and cuts: 1.15 becomes 114 paise
# caught by: right-amount in paid
# also: right-verdict, paid-is-verified
from plain_till import Till


class Wrong(Till):
    def __init__(self):
        super().__init__()
        paise = int(float(self.amount) * 100)
        self.amount = f"{paise // 100}.{paise % 100:02}"


Wrong().run()
