// A window with Qt 5 or 6 that never waits:
//
//     c++ -std=c++17 -fPIC qt.cpp $(pkg-config --cflags --libs Qt5Widgets payorder) -o till
//     ./till AMOUNT ORDER_ID
#include "desk.hpp"

#include <QApplication>
#include <QCloseEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QSocketNotifier> // on Windows: QWinEventNotifier, with the same handle
#include <QTimer>

class Till : public QWidget {
public:
    Till(payorder::client client, QString amount, QString order_id)
        : desk_(std::move(client),
                [this](const std::string &, const std::string &text) { show_text(text); }),
          ready_(static_cast<int>(desk_.handle()), QSocketNotifier::Read) {
        auto *layout = new QHBoxLayout(this);
        auto *sell = new QPushButton("Sell"), *cancel = new QPushButton("Cancel");
        for (QWidget *one : {static_cast<QWidget *>(sell), static_cast<QWidget *>(cancel),
                             static_cast<QWidget *>(&text_)}) {
            layout->addWidget(one);
        }
        connect(sell, &QPushButton::clicked, this,
                [=] { desk_.sell(amount.toStdString(), order_id.toStdString()); });
        connect(cancel, &QPushButton::clicked, this, [=] { desk_.cancel(order_id.toStdString()); });
        connect(&ready_, &QSocketNotifier::activated, this, [this] {
            desk_.take_answers();
            if (closes_ && desk_.is_idle()) {
                close();
            }
        });
    }

protected:
    // The window stays until every sale has ended. What is known about it is then in the journal, if
    // PAYORDER_JOURNAL names one.
    void closeEvent(QCloseEvent *event) override {
        closes_ = true;
        desk_.stop();
        event->setAccepted(desk_.is_idle());
    }

    virtual void show_text(const std::string &text) { text_.setText(QString::fromStdString(text)); }

private:
    QLabel text_;
    desk desk_;
    QSocketNotifier ready_;
    bool closes_ = false;
};

int main(int argc, char **argv) {
    QApplication application(argc, argv);
    const QStringList given = application.arguments();
    if (given.size() != 3) {
        qCritical("usage: till AMOUNT ORDER_ID");
        return 2;
    }
    try {
        Till till(open_client(), given[1], given[2]);
        till.show();
        return application.exec();
    } catch (const payorder::error &error) {
        qCritical("till: %s", error.what());
        return 1;
    }
}
