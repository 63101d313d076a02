// The window of examples/windows/qt.cpp: its buttons are pressed, and the longest gap between two ticks
// of a timer of 20 ms is measured. `close` closes the window while the order is out.
#define main sample_main
#include "../../../examples/windows/qt.cpp"
#undef main

#include <QElapsedTimer>

#include <algorithm>
#include <iostream>

class Watched : public Till {
public:
    using Till::Till;

protected:
    void show_text(const std::string &text) override {
        std::cout << text << std::endl;
        if (text.rfind("send", 0) != 0 && text.rfind("UNKNOWN", 0) != 0) {
            QTimer::singleShot(0, this, [this] { close(); });
        }
    }
};

int main(int argc, char **argv) {
    QApplication application(argc, argv);
    const QStringList given = application.arguments();
    Watched till(payorder::client::from_env(), given[1], given[2]);
    till.show();
    QElapsedTimer clock;
    qint64 longest = 0;
    QTimer ticks;
    QObject::connect(&ticks, &QTimer::timeout, [&] { longest = std::max(longest, clock.restart()); });
    clock.start();
    ticks.start(20);
    const auto buttons = till.findChildren<QPushButton *>();
    buttons[0]->click();
    buttons[0]->click();
    if (given.size() > 3) {
        QTimer::singleShot(300, &till, [&] {
            if (given[3] == "close") {
                till.close();
            } else {
                buttons[1]->click();
            }
        });
    }
    const int status = application.exec();
    std::cout << "longest gap " << longest << std::endl;
    return status;
}
