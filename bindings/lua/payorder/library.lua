-- The C library: where it is, and calls of its functions. It is loaded for the first of them.

local ffi = require("ffi")
local constants = require("payorder.constants")
local json = require("payorder.json")

-- `C` has its functions, once it is loaded.
local library = {}

-- Fails if the program has declared them too.
pcall(ffi.cdef, constants.C)

local function exists(path)
  local file = io.open(path, "rb")
  return file and file:close()
end

-- This system's name in packaging/targets, which is also its folder's in native.
local function system_name()
  local processors = { x64 = "x86_64", x86 = "i686", arm64 = "aarch64", arm = "armv7" }
  local processor = processors[ffi.arch] or ffi.arch
  local os = ffi.os == "OSX" and "macos" or ffi.os:lower()
  if os ~= "linux" then return processor .. "-" .. os end
  local maps = io.open("/proc/self/maps")
  local musl = maps and maps:read("*a"):find("/ld-musl-", 1, true)
  if maps then maps:close() end
  local gnu = processor == "armv7" and "gnueabihf" or "gnu"
  return processor .. "-linux-" .. (musl and "musl" or gnu)
end

-- Where the library may be, the preferred place first. In a checkout, the newest build is the one
-- that the developer has just made.
local function candidates()
  local chosen = os.getenv("PAYORDER_LIBRARY")
  if chosen and chosen ~= "" then
    -- With a slash, the system does not search its own folders.
    return { chosen:find("[/\\]") and chosen or "./" .. chosen }
  end
  local names = {
    Windows = { "payorder.dll", "payorder.dll" },
    OSX = { "libpayorder.dylib", "libpayorder.1.dylib" },
  }
  local name, system = unpack(names[ffi.os] or { "libpayorder.so", "libpayorder.so.1" })
  local folder = debug.getinfo(1, "S").source:match("^@(.*)[/\\]") or "."
  local found = { ("%s/native/%s/%s"):format(folder, system_name(), name) }
  local checkout = folder .. "/../../.."
  if folder:find("bindings[/\\]lua[/\\]payorder$") and exists(checkout .. "/Cargo.toml") then
    local builds = ("'%s/target/release/%s' '%s/target/debug/%s'"):format(
      checkout, name, checkout, name)
    local list = io.popen("ls -t " .. builds .. " 2>/dev/null")
    for file in list:lines() do found[#found + 1] = file end
    list:close()
  end
  found[#found + 1] = system
  return found
end

-- LuaJIT looks a function up when it is first used.
local function missing_function(library)
  for name in constants.C:gmatch("(payorder_[%w_]+)%(") do
    if not pcall(function() return library[name] end) then return name end
  end
end

local function load_library()
  local tried = {}
  for _, file in ipairs(candidates()) do
    local ok, library = pcall(ffi.load, file)
    local problem = library
    if ok then
      local known, version = pcall(function() return library.payorder_abi_version() end)
      local missing = known and missing_function(library)
      if known and version ~= constants.ABI_VERSION then
        problem = ("it has version %d of the ABI, and this package needs version %d"):format(
          version, constants.ABI_VERSION)
      elseif known and not missing then
        return library
      else
        problem = "it has no " .. (missing or "payorder_abi_version")
      end
    end
    tried[#tried + 1] = ("  %s: %s"):format(file, problem)
  end
  return nil, "payorder found no shared library that it can use; nothing was sent. It tried\n"
    .. table.concat(tried, "\n") .. "\nSet PAYORDER_LIBRARY to the path of the library."
end

-- The result and the text of an error that this package found, in the form of the library's.
function library.own_text(result, cause, action, message, more)
  local found = {
    result = result,
    outcome = result < 100 and "not_sent" or result < 200 and "rejected" or "unknown",
    cause = cause,
    action = action,
    message = message,
  }
  for name, number in pairs(constants.Result) do
    if number == result then found.name = "PAYORDER_" .. name end
  end
  for key, value in pairs(more or {}) do found[key] = value end
  return result, json.encode({ error = found })
end

-- Nothing, or the error that there is no library.
function library.missing()
  if library.C then return nil end
  local problem
  library.C, problem = load_library()
  if not library.C then
    return library.own_text(3, "unreadable_file", "fix_configuration", problem)
  end
end

-- Says on the error output, which may be closed, that a function of the program failed. What it
-- raised may have no text.
function library.report(what, raised)
  pcall(function()
    io.stderr:write("payorder: ", what, " failed: ", tostring(raised), "\n")
  end)
end

-- A copy of a string of the library, which is freed. If there is no memory for the copy: nil.
function library.take(out)
  if out[0] == nil then return nil end
  local ok, text = pcall(ffi.string, out[0])
  library.C.payorder_string_free(out[0])
  return ok and text or nil
end

-- Calls a function whose last argument is `char **`. Gives its result and the text, or nil.
function library.call(name, ...)
  local missing, problem = library.missing()
  if missing then return missing, problem end
  local out = ffi.new("char *[1]")
  local count = select("#", ...)
  local arguments = { ... }
  arguments[count + 1] = out
  local result = library.C["payorder_" .. name](unpack(arguments, 1, count + 1))
  return result, library.take(out)
end
-- Compiled code must not call functions that call back.
jit.off(library.call)

-- What is at a JSON pointer of a text, unchanged; or nil.
function library.member(text, pointer)
  local result, found = library.call("json_get", text, pointer)
  return result == 0 and found or nil
end

return library
