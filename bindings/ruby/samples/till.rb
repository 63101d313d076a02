# frozen_string_literal: true

# What the samples share: an order.

require "payorder"

# An order needs identifiers that were never used before.
def new_order(order_id, amount)
  { amount: amount, # text or BigDecimal, never a Float
    merchant_txn_id: "T-#{order_id}", order_id: order_id, pay_mode: "all", merchant_id: "M-1",
    product_info: "Two coffees", customer_name: "Asha Rao", customer_mobile: "9000000001",
    customer_email: "asha@example.com", redirection_url: "https://shop.example.com/return",
    currency_code: "INR" }
end
