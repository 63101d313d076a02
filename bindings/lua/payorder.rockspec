local repository = "https://git.payorder.example/payorder"

rockspec_format = "3.0"
package = "payorder"
version = "0.1.0-1"
source = {
  url = repository .. "/releases/download/v0.1.0/payorder-lua-0.1.0.zip",
  dir = "payorder-lua-0.1.0",
}
description = {
  summary = "Creates payment orders and reads their status, with LuaJIT",
  detailed = "It needs LuaJIT 2.1: no other Lua has an FFI.",
  license = "MIT OR Apache-2.0",
  homepage = "https://payorder.example",
  issues_url = "https://git.payorder.example/payorder/issues",
  maintainer = "the payorder developers",
}
dependencies = { "lua >= 5.1, < 5.2" }
build = {
  type = "builtin",
  modules = {
    payorder = "payorder.lua",
    ["payorder.cancellation"] = "payorder/cancellation.lua",
    ["payorder.client"] = "payorder/client.lua",
    ["payorder.constants"] = "payorder/constants.lua",
    ["payorder.json"] = "payorder/json.lua",
    ["payorder.library"] = "payorder/library.lua",
    ["payorder.requests"] = "payorder/requests.lua",
    ["payorder.results"] = "payorder/results.lua",
  },
  install = {
    -- bindings/package adds the libraries.
    lua = {
    },
  },
}
