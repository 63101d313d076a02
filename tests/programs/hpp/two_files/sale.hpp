#ifndef SALE_HPP
#define SALE_HPP

#include <payorder.hpp>

#include <functional>
#include <string>
#include <typeinfo>

// A shared object exports these, and nothing else that it does not have to.
#define EXPORTED __attribute__((visibility("default")))

EXPORTED payorder::client opened(const std::string &config_json);
EXPORTED payorder::answer sold(const payorder::client &client, const std::string &order_json);
EXPORTED void with_idle_function(const std::function<void()> &during);
EXPORTED const std::type_info *type_of_not_sent();

#endif
