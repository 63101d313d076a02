#ifndef SALE_HPP
#define SALE_HPP

#include <payorder.hpp>

#include <string>

payorder::client opened(const std::string &config_json);
payorder::answer sold(const payorder::client &client, const std::string &order_json);

#endif
