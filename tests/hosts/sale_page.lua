local cjson = require("cjson")
local payorder = require("payorder")
local sell = require("sale")

local order = cjson.decode(os.getenv("ORDER"))
order.orderId, order.merchantTxnId = ngx.var.arg_order, "T-" .. ngx.var.arg_order
local checkout, problem = sell(order)
ngx.say(checkout and checkout.url or problem.name)
