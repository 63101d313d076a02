-- A lost answer: the service gets the order, and the connection breaks before its response arrives.
-- The order may exist, so the program asks for its status before it does anything else.
--
--     luajit lost_answer.lua ORDER_ID

package.path = (arg[0]:match("^(.*)[/\\]") or ".") .. "/?.lua;" .. package.path
local till = require("till")

local client = till.open_client()
-- The sandbox keeps this order and cuts the connection.
local order = till.new_order(arg[1], "249.50", "Two coffees sandbox:drop-after-commit")
local checkout, problem = client:create_order(order)
if not checkout and problem.kind == "unknown" then
  print("the order may exist: " .. problem.name .. ", " .. problem.action)
  local status, why = client:get_status(problem)
  if status then
    print(("the service has order %s: %s"):format(status.orderId, status.transactionStatus))
    -- Its checkout URL is lost. If it is not paid, a person decides whether to sell again.
  else
    -- Even "no such order" proves nothing: the service may not know it yet.
    print("still not known, ask again later: " .. why.message)
  end
end
client:close()
