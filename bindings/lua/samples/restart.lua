-- A restart after a crash: the journal knows which orders may have been sent.
--
--     luajit restart.lua JOURNAL ORDER_ID
--
-- Run it, kill it while it waits for the service, and run it again: it does not send the order a
-- second time, but asks for its status.

package.path = (arg[0]:match("^(.*)[/\\]") or ".") .. "/?.lua;" .. package.path
local payorder = require("payorder")
local till = require("till")

local client = assert(payorder.from_env({ journal = arg[1], timeoutMs = 5000 }))
-- At each start: one verdict for each order that is open, and for each sale that the till's own
-- records do not call finished. The time limit of an order that a killed program was sending must
-- pass first.
local open = { { orderId = arg[2], amount = "249.50" } }
local sales = assert(client:recover(open, { waitMs = 10000 })).sales
for _, sale in ipairs(sales) do
  print(("order %s: %s %s %s"):format(sale.orderId, sale.verdict, sale.transactionStatus or "",
    sale.url or ""))
end

-- This sale is the first. After any other verdict, the order may exist. After not_in_journal
-- it may, too, if this journal was restored, replaced or pruned.
if ({ not_in_journal = true, not_sent = true, refused = true })[sales[1].verdict] then
  local checkout, problem = client:create_order(till.new_order(arg[2], "249.50"))
  if checkout then
    print("send the customer to " .. checkout.url)
  else
    print(problem.action .. ": " .. problem.message)
    -- A duplicate has the journal's: another program has sent it meanwhile.
    local page = problem.previous and problem.previous.url or problem.checkoutUrl
    -- What a person must look at may be the page of another sale.
    if page and problem.action ~= "ask_person" then
      print("if it is not paid, the page is " .. page)
    end
  end
end
client:close()
