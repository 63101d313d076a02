-- A sale: creates an order, shows where the customer pays, waits, and verifies the payment.
--
--     luajit sale.lua ORDER_ID AMOUNT
--
-- The exit status is 0 if the order is paid, otherwise 1.

package.path = (arg[0]:match("^(.*)[/\\]") or ".") .. "/?.lua;" .. package.path
local payorder = require("payorder")
local till = require("till")
io.stdout:setvbuf("line")

local order_id, amount = arg[1], arg[2]
local began = os.date("!%Y-%m-%dT%H:%M:%SZ")
local client = assert(payorder.from_env())
local checkout, problem = client:create_order(till.new_order(order_id, amount))
if not checkout then
  local words = { not_sent = "NOT SENT: ", rejected = "REJECTED: ", unknown = "OPEN: " }
  print(words[problem.kind] .. problem.action .. ": " .. (problem.responseMessage or problem.message))
  if problem.kind == "unknown" then
    -- The answer was lost. A query changes nothing.
    local status, why = client:get_status(problem)
    if status then
      print(("the service has order %s: %s"):format(status.orderId, status.transactionStatus))
      -- Without its checkout URL, and if it is not paid, a person decides whether to sell again.
    else
      -- Even "no such order" proves nothing: the service may not know it yet.
      print("still not known, ask again later: " .. why.message)
    end
    local page = problem.previous and problem.previous.url or problem.checkoutUrl
    -- What a person must look at may be the page of another sale.
    if page and problem.action ~= "ask_person" then
      print("if it is not paid, the page is " .. page)
    end
  end
  os.exit(1)
end
print("send the customer to " .. checkout.url)

local options = { waitMs = 300000, intervalMs = 1000 }
local waited, failed = client:wait_for_payment(order_id, options)
if not waited or not waited.status then
  print("OPEN: no status was seen: " .. tostring(failed or waited.error))
  os.exit(1)
end
-- A status alone does not prove a payment: compare it with what you expect.
local expected = { orderId = order_id, amount = amount, notBefore = began }
local status = waited.status
local payment = assert(payorder.verify_payment(expected, status))
print(payment.paid and ("PAID: %s for order %s"):format(amount, order_id)
  or till.money_moved(status) and "CHECK: show it to a person: order " .. order_id
  or "OPEN: the customer can still pay: order " .. order_id)
for _, reason in ipairs(payment.reasons) do
  print(("  %s: expected %s, got %s"):format(reason.check, reason.expected, reason.actual))
end
client:close()
os.exit(payment.paid and 0 or 1)
