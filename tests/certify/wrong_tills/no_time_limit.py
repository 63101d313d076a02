# mistake: it waits for the response of Create Order without a time limit
# caught by: in-time in timeout
from plain_till import Till


class Wrong(Till):
    def __init__(self):
        super().__init__()
        self.create_seconds = None


Wrong().run()
