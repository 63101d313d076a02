# mistake: it shows what the service sent as the checkout URL
# caught by: safe-url in bad-url
from plain_till import Till


class Wrong(Till):
    def is_web_address(self, url):
        return bool(url)


Wrong().run()
