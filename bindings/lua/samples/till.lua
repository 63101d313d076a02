-- What the samples share: an order.

local till = {}

-- An order needs identifiers that were never used before.
function till.new_order(order_id, amount)
  return {
    amount = amount, -- text, never a number
    merchantTxnId = "T-" .. order_id,
    orderId = order_id,
    payMode = "all",
    merchantId = "M-1",
    productInfo = "Two coffees",
    customerName = "Asha Rao",
    customerMobile = "9000000001",
    customerEmail = "asha@example.com",
    redirectionURL = "https://shop.example.com/return",
    currencyCode = "INR",
  }
end

-- Whether a person must look at a status that does not verify as paid.
function till.money_moved(status)
  return status.transactionStatus:lower():match("^%s*completed%s*$")
    or status.refundStatus .. status.refundType ~= ""
    or status.settlementStatus .. status.settlementDate ~= ""
end

return till
