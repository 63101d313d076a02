-- What the samples share: the settings, and an order.

local payorder = require("payorder")
local till = {}

function till.open_client(more)
  local config = {
    baseUrl = os.getenv("PAYORDER_BASE_URL"),
    accessToken = os.getenv("PAYORDER_ACCESS_TOKEN"),
    clientKey = os.getenv("PAYORDER_CLIENT_KEY"),
    clientId = os.getenv("PAYORDER_CLIENT_ID"),
    secretKey = os.getenv("PAYORDER_SECRET_KEY"),
  }
  for key, value in pairs(more or {}) do config[key] = value end
  return assert(payorder.client(config))
end

-- An order needs identifiers that were never used before.
function till.new_order(order_id, amount, product_info)
  return {
    amount = amount, -- text, never a number
    merchantTxnId = "T-" .. order_id,
    orderId = order_id,
    payMode = "all",
    merchantId = "M-1",
    productInfo = product_info,
    customerName = "Asha Rao",
    customerMobile = "9000000001",
    customerEmail = "asha@example.com",
    redirectionURL = "https://shop.example.com/return",
    currencyCode = "INR",
  }
end

return till
