# frozen_string_literal: true

# What the samples share: the settings, and an order.

require "payorder"

def open_client(**more, &block)
  Payorder::Client.open(
    base_url: ENV.fetch("PAYORDER_BASE_URL"),
    access_token: ENV.fetch("PAYORDER_ACCESS_TOKEN"),
    client_key: ENV.fetch("PAYORDER_CLIENT_KEY"),
    client_id: ENV.fetch("PAYORDER_CLIENT_ID"),
    secret_key: ENV.fetch("PAYORDER_SECRET_KEY"),
    **more, &block
  )
end

# An order needs identifiers that were never used before.
def new_order(order_id, amount, product_info)
  { amount: amount, # text or BigDecimal, never a Float
    merchant_txn_id: "T-#{order_id}", order_id: order_id, pay_mode: "all", merchant_id: "M-1",
    product_info: product_info, customer_name: "Asha Rao", customer_mobile: "9000000001",
    customer_email: "asha@example.com", redirection_url: "https://shop.example.com/return",
    currency_code: "INR" }
end
