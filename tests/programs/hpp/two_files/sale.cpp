#include "sale.hpp"

payorder::client opened(const std::string &config_json) {
    payorder::client client(config_json);
    static_cast<void>(client.set_log([](std::string_view) {}));
    return client;
}

payorder::answer sold(const payorder::client &client, const std::string &order_json) {
    return client.create_order(order_json,
                               payorder::json_object({{"accessToken", "sandbox-access-token"}}));
}

void with_idle_function(const std::function<void()> &during) {
    const payorder::idle function([] { return payorder::idle_result::go_on; });
    during();
}

const std::type_info *type_of_not_sent() { return &typeid(payorder::not_sent); }
