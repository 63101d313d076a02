# mistake: it does not check certificates
# caught by: checks-the-host in expired-certificate
# also: right-verdict
import ssl

from plain_till import Till


class Wrong(Till):
    def tls(self):
        context = ssl.create_default_context()
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
        return context


Wrong().run()
