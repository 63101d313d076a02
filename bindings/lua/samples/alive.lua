-- A till with one thread that stays alive while it waits: its clock goes on during a sale.
--
--     luajit alive.lua NUMBER

package.path = (arg[0]:match("^(.*)[/\\]") or ".") .. "/?.lua;" .. package.path
local payorder = require("payorder")
local till = require("till")
io.stdout:setvbuf("line")

local began = os.date("!%Y-%m-%dT%H:%M:%SZ")
local order = till.new_order("O-" .. arg[1], "100.00")
local client = assert(payorder.from_env())
-- How many calls run, the numbers of two of them, and where the customer can pay, if an
-- unusable response had the page.
local running, sale, question, page = 0, nil, nil, nil

local function start(...)
  running = running + 1
  return assert(client:start(...))
end

local function wait_for_customer(url)
  if url then print("pay at " .. url) end
  start("wait_for_payment", order.orderId, { waitMs = 20000, intervalMs = 100 })
end

-- A call has ended. As in the sample `sale`, each failure says what happened to the order.
local function ended(call, result, problem)
  if call == sale and result then
    wait_for_customer(result.url)
  elseif call == sale and problem.kind ~= "unknown" then
    print("this call created no order: " .. problem.message)
  elseif call == sale then
    print("the order may exist: " .. problem.action .. ": " .. problem.message)
    if problem.previous and problem.previous.url then
      wait_for_customer(problem.previous.url)
    elseif problem.action == payorder.Action.ASK_STATUS then
      page = problem.checkoutUrl
      question = start("get_status", problem)
    else
      -- It may be another sale's order: no status of it says that this sale is paid.
      print("call a person")
    end
  elseif call == question and result then
    print("the order exists: " .. result.transactionStatus)
    wait_for_customer(not till.money_moved(result) and page)
  elseif call == question then
    print("still not known, ask again later: " .. problem.message)
  elseif result and result.status then
    local expected = { orderId = order.orderId, amount = order.amount, notBefore = began }
    local payment = assert(payorder.verify_payment(expected, result.status))
    print(payment.paid and "paid" or "not paid as expected")
  else
    print("open, the customer can still pay: " .. tostring(problem or result.error))
  end
end

sale = start("create_order", order)
while running > 0 do
  -- Here a till also looks at its keys and its scanner.
  print("clock " .. os.date("%H:%M:%S"))
  local call, result, problem = client:take(100)
  if call then
    running = running - 1
    ended(call, result, problem)
  end
end
client:close()
