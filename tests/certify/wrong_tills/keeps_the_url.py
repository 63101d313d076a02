# mistake: it prints the checkout URL into a buffer, which nobody sees in time
# caught by: right-verdict in paid
from plain_till import Till


class Wrong(Till):
    def show(self, url):
        print(f"please pay at {url}")


Wrong().run()
