-- A restart after a crash: the journal knows which orders may have been sent.
--
--     luajit restart.lua JOURNAL ORDER_ID
--
-- Run it, kill it while it waits for the service, and run it again: it does not send the order a
-- second time, but asks for its status.

package.path = (arg[0]:match("^(.*)[/\\]") or ".") .. "/?.lua;" .. package.path
local payorder = require("payorder")
local till = require("till")

local client = assert(payorder.from_env({ journal = arg[1] }))
-- At each start: one verdict for each order that is open, and for each sale that the till's own
-- records do not call finished.
local recovered = assert(client:recover({ { orderId = arg[2], amount = "249.50" } }))
for _, sale in ipairs(recovered.sales) do
  print(("order %s: %s %s"):format(sale.orderId, sale.verdict, tostring(sale.url or "")))
end

local checkout, problem = client:create_order(till.new_order(arg[2], "249.50"))
if checkout then
  print("send the customer to " .. checkout.url)
elseif problem.name == "PAYORDER_DUPLICATE" then
  local url = problem.previous.url
  print(url and "the customer pays at " .. url or problem.action .. ": " .. problem.message)
  print("the service says: " .. assert(client:get_status(problem)).transactionStatus)
else
  print(problem)
end
client:close()
