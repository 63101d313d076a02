# mistake: it guesses from the names of its folders what the exam plays
# caught by: right-verdict in paid
import os

from plain_till import Till


class Wrong(Till):
    def judge(self, status):
        path = os.path.abspath(os.environ["SALE_FOLDER"]).split(os.sep)
        return "paid" if "paid" in path else "open"


Wrong().run()
