# mistake: it asks without a pause
# caught by: no-storm in never-pays
from plain_till import Till


class Wrong(Till):
    pause = 0

    def time_is_up(self):
        return "open"


Wrong().run()
