# mistake: it does not check the host's name for Get Status
# caught by: checks-the-host in status-wrong-host
# also: right-verdict
from plain_till import Till


class Wrong(Till):
    def post(self, path, body, headers, seconds):
        self.checks = path == "/api/v1/Gateway/CreateOrder"
        return super().post(path, body, headers, seconds)

    def tls(self):
        context = super().tls()
        context.check_hostname = self.checks
        return context


Wrong().run()
