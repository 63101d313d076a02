// A window that closes, and sells no more: examples/windows/desk.hpp.
#include "../../../examples/windows/desk.hpp"

int main() {
    desk sales(payorder::client::from_env(), [](const std::string &, const std::string &) {});
    sales.stop();
    sales.sell("249.50", "LATE");
    return sales.is_idle() ? 0 : 1;
}
