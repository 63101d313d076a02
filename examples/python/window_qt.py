"""A till with a window of Qt: each call runs in a QThread, which sends its result as a signal.

python3 window_qt.py ORDER, a file with one order as JSON
"""

from __future__ import annotations

import json
import os
import sys
from typing import Any, Dict, Optional

import payorder
from PyQt5.QtCore import QThread, pyqtSignal
from PyQt5.QtGui import QCloseEvent
from PyQt5.QtWidgets import QApplication, QPushButton


class Sale(QThread):
    said = pyqtSignal(str)

    def __init__(self, client: payorder.Client, order: Dict[str, Any]) -> None:
        super().__init__()
        self.client, self.order = client, order

    def run(self) -> None:
        """In the thread, which must not touch the window."""
        try:
            checkout = self.client.create_order(self.order)
            self.said.emit(f"pay at {checkout.url}")
        except payorder.PayorderError as error:
            self.said.emit(f"{error.outcome} {error.action}: {error}")


class Till(QPushButton):
    def __init__(self, client: payorder.Client, order: Dict[str, Any]) -> None:
        super().__init__("Sell")
        self.client, self.order = client, order
        self.sale: Optional[Sale] = None
        self.clicked.connect(self.sell)

    def sell(self) -> None:
        # A second click would be a second call.
        self.setEnabled(False)
        self.sale = Sale(self.client, self.order)
        self.sale.said.connect(self.show_result)
        self.sale.start()

    def show_result(self, text: str) -> None:
        self.setText(text)
        print(text, flush=True)

    def closeEvent(self, event: Optional[QCloseEvent]) -> None:
        if event is not None and self.sale is not None and self.sale.isRunning():
            # An order that is being sent gets its time: a cancel would lose its checkout URL.
            event.ignore()
            self.sale.finished.connect(QApplication.closeAllWindows)
        else:
            super().closeEvent(event)


if __name__ == "__main__":
    application = QApplication(sys.argv)
    journal = os.environ.get("PAYORDER_JOURNAL") or "till-orders.sqlite"
    with open(sys.argv[1], encoding="utf-8") as file, payorder.Client.from_env(
        journal=journal
    ) as client:
        till = Till(client, json.load(file))
        till.show()
        application.exec()
