#include "sale.hpp"

payorder::client opened(const std::string &config_json) {
    payorder::client client;
    static_cast<void>(client.try_open(config_json));
    return client;
}

payorder::answer sold(const payorder::client &client, const std::string &order_json) {
    return client.try_create_order(order_json);
}
