-- A sale: creates an order, shows where the customer pays, waits, and verifies the payment.
--
--     luajit sale.lua JOURNAL ORDER_ID AMOUNT
--
-- If the answer is lost, or the program was killed while it sent the order and runs again, it does
-- not send the order a second time: it asks for its status.

local payorder = require("payorder")
io.stdout:setvbuf("line")

local journal, order_id, amount = arg[1], arg[2], arg[3]
local client = assert(payorder.from_env({ journal = journal }))
-- At each start: one verdict for each order that is open.
for _, sale in ipairs(assert(client:recover()).sales) do
  print(("order %s: %s %s"):format(sale.orderId, sale.verdict, tostring(sale.url or "")))
end

-- The order may exist: what the journal and the service know of it.
local function ask(problem)
  print("the order may exist: " .. problem.name)
  local previous = problem.previous -- It may be paid by now, or closed by a person.
  if previous then
    print(("order %s is in the journal as %s"):format(previous.orderId, previous.state))
  end
  local status, why = client:get_status(problem)
  if status then
    print(("the service has order %s: %s"):format(status.orderId, status.transactionStatus))
    -- Its checkout URL is lost. If it is not paid, a person decides whether to sell again.
  else
    -- Even "no such order" proves nothing: the service may not know it yet.
    print("still not known, ask again later: " .. why.message)
  end
end

local checkout, problem = client:create_order({
  amount = amount, -- text, never a number
  -- An order needs identifiers that were never used before.
  merchantTxnId = "T-" .. order_id,
  orderId = order_id,
  payMode = "all",
  merchantId = "M-1",
  -- The marker is for the sandbox: a fault.
  productInfo = "Two coffees " .. (os.getenv("PAYORDER_SAMPLE_MARKER") or ""),
  customerName = "Asha Rao",
  customerMobile = "9000000001",
  customerEmail = "asha@example.com",
  redirectionURL = "https://shop.example.com/return",
  currencyCode = "INR",
})
if not checkout then
  if problem.kind == "unknown" then ask(problem)
  elseif problem.kind == "not_sent" then print("NOT SENT: " .. problem.message)
  else print("REJECTED: " .. (problem.responseMessage or problem.message)) end
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
local expected = { orderId = order_id, amount = amount }
local status = waited.status
local payment = assert(payorder.verify_payment(expected, status))
local money_moved = status.completed or status.refundStatus ~= "" or status.refundType ~= ""
print(payment.paid and ("PAID: %s for order %s"):format(amount, order_id)
  or money_moved and "CHECK: show it to a person: order " .. order_id
  or "OPEN: the customer can still pay: order " .. order_id)
for _, reason in ipairs(payment.reasons) do
  print(("  %s: expected %s, got %s"):format(reason.check, reason.expected, reason.actual))
end
client:close()
