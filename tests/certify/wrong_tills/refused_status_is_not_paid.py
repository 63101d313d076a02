# mistake: it gives the order up when Get Status is refused, for example because of an old key
# caught by: not-forgotten in status-refused
from plain_till import GET_STATUS, Till


class Wrong(Till):
    refused = False

    def post(self, path, *arguments):
        answer = super().post(path, *arguments)
        self.refused |= path == GET_STATUS and answer[0] == 401
        return answer

    def no_status(self):
        return "not_paid" if self.refused else "open"


Wrong().run()
