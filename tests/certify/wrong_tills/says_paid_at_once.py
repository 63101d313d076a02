# mistake: it says that the order is paid while it still waits
# caught by: paid-is-verified in never-pays
# also: one-verdict
from plain_till import Till


class Wrong(Till):
    def wait(self):
        print('{"verdict":"paid"}', flush=True)
        return super().wait()


Wrong().run()
