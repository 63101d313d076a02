local till = require("till")

local count, prefix = tonumber(arg[1]), arg[2]
local client = till.open_client()
for number = 1, count do
  local order = till.new_order(prefix .. "-" .. number, "249.50", "Two coffees")
  local checkout = assert(client:create_order(order))
  assert(checkout.url)
end
client:close()
