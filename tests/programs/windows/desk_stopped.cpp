// A window with an order that cannot be written, which then closes and sells no more:
// examples/windows/desk.hpp.
#include "../../../examples/windows/desk.hpp"

int main() {
    bool is_shown = false;
    desk sales(payorder::client::from_env(), [&](const std::string &, const std::string &text) {
        is_shown = text.rfind("NOT SENT: ", 0) == 0;
    });
    sales.sell("249.50", "not UTF-8: \xff");
    const bool is_idle = sales.is_idle();
    sales.stop();
    sales.sell("249.50", "LATE");
    return is_shown && is_idle && sales.is_idle() ? 0 : 1;
}
