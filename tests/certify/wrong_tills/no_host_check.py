# mistake: it checks who signed the certificate, and not for which host
# caught by: checks-the-host in wrong-host
# also: right-verdict
import os
import ssl

from plain_till import Till


class Wrong(Till):
    def tls(self):
        context = ssl.create_default_context(cafile=os.environ.get("PAYORDER_CA_FILE"))
        context.check_hostname = False
        return context


Wrong().run()
