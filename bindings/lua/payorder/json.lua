-- JSON for this package. Objects and arrays are tables; null in a text becomes nil.

local json = {}

-- Writes null. nil leaves a field out.
json.null = setmetatable({}, { __tostring = function() return "null" end })

local ARRAY = {}

-- Marks a table as an array, which an empty one needs.
function json.array(table)
  return setmetatable(table, ARRAY)
end

local function quote(text)
  return '"' .. text:gsub('[%c"\\]', function(character)
    return ("\\u%04x"):format(character:byte())
  end) .. '"'
end

-- A value of cjson, if the program has loaded it. Its null is that of OpenResty.
local function of_cjson(name)
  local cjson = package.loaded["cjson"] or package.loaded["cjson.safe"]
  return cjson and cjson[name]
end

local write

local function write_table(value)
  local parts = {}
  if getmetatable(value) == ARRAY or #value > 0 then
    for _, item in ipairs(value) do parts[#parts + 1] = write(item) end
    for key in pairs(value) do
      if not parts[key] then error("a list has a hole, or a key that is a name", 0) end
    end
    return "[" .. table.concat(parts, ",") .. "]"
  end
  local keys = {}
  for key in pairs(value) do
    if type(key) ~= "string" then error("a key is not a string", 0) end
    keys[#keys + 1] = key
  end
  -- Sorted, because an order that is sent again must have the same bytes.
  table.sort(keys)
  for _, key in ipairs(keys) do parts[#parts + 1] = quote(key) .. ":" .. write(value[key]) end
  return "{" .. table.concat(parts, ",") .. "}"
end

function write(value)
  local kind = type(value)
  if value == json.null or value == of_cjson("null") then return "null" end
  if kind == "string" then return quote(value) end
  if kind == "boolean" then return tostring(value) end
  if kind == "table" then return write_table(value) end
  if kind == "userdata" and value == of_cjson("empty_array") then return "[]" end
  if kind ~= "number" then error("a value is a " .. kind, 0) end
  if value ~= value or value == math.huge or value == -math.huge then
    error("a number is not finite", 0)
  end
  return ("%.17g"):format(value)
end

-- The value as text. Raises a text that says why there is none.
json.encode = write

local ESCAPES = { b = "\b", f = "\f", n = "\n", r = "\r", t = "\t" }

local function utf8(code)
  local char = string.char
  if code < 0x80 then return char(code) end
  local tail = char(0x80 + code % 64)
  code = math.floor(code / 64)
  if code < 0x20 then return char(0xC0 + code) .. tail end
  tail = char(0x80 + code % 64) .. tail
  code = math.floor(code / 64)
  if code < 0x10 then return char(0xE0 + code) .. tail end
  return char(0xF0 + math.floor(code / 64), 0x80 + code % 64) .. tail
end

-- Reads a string that begins after its quote. Gives it and the position after its end.
local function read_string(text, position)
  local parts = {}
  while true do
    local from, to, stop = text:find('(["\\])', position)
    if not from then error("a string has no end", 0) end
    parts[#parts + 1] = text:sub(position, from - 1)
    if stop == '"' then return table.concat(parts), to + 1 end
    local escape = text:sub(to + 1, to + 1)
    position = to + 2
    if escape ~= "u" then
      parts[#parts + 1] = ESCAPES[escape] or escape
    else
      local code = tonumber(text:sub(position, position + 3), 16)
      position = position + 4
      local low = text:match("^\\u([dD][c-fC-F]%x%x)", position)
      if code >= 0xD800 and code < 0xDC00 and low then
        code = 0x10000 + (code - 0xD800) * 0x400 + tonumber(low, 16) - 0xDC00
        position = position + 6
      end
      parts[#parts + 1] = utf8(code)
    end
  end
end

local LITERALS = { ["true"] = true, ["false"] = false }

-- Reads a value at a position. Gives it and the position after it. null becomes the given value.
local function read(text, position, null)
  position = text:find("%S", position)
  local first = text:sub(position, position)
  if first == '"' then return read_string(text, position + 1) end
  if first ~= "{" and first ~= "[" then
    local word = text:match("^[%w%+%-%.]+", position)
    if not word then error("no value", 0) end
    if word == "null" then return null, position + #word end
    local value = LITERALS[word]
    if value == nil then value = tonumber(word) end
    return value, position + #word
  end
  local found, index = {}, 0
  local close = first == "{" and "}" or "]"
  if first == "[" then json.array(found) end
  position = text:find("%S", position + 1)
  while text:sub(position, position) ~= close do
    local key
    if first == "{" then
      key, position = read_string(text, position + 1)
      position = text:find("%S", text:find(":", position, true) + 1)
    else
      index = index + 1
      key = index
    end
    found[key], position = read(text, position, null)
    position = text:find("[^%s,]", position)
  end
  return found, position + 1
end

-- The value of a text that the library wrote, or nil if Lua cannot read it (no memory, too deep).
function json.decode(text, null)
  local ok, value = pcall(read, text, 1, null)
  if ok then return value end
  return nil
end

return json
