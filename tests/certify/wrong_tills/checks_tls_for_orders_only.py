# mistake: it checks the certificate for Create Order, and not for Get Status
# caught by: checks-the-host in status-untrusted
# also: right-verdict
import ssl

from plain_till import Till


class Wrong(Till):
    def post(self, path, body, headers, seconds):
        self.checks = path == "/api/v1/Gateway/CreateOrder"
        return super().post(path, body, headers, seconds)

    def tls(self):
        context = super().tls()
        if not self.checks:
            context.check_hostname = False
            context.verify_mode = ssl.CERT_NONE
        return context


Wrong().run()
