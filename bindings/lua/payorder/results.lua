-- What calls give: tables with the library's complete text in `raw`.

local constants = require("payorder.constants")
local json = require("payorder.json")
local library = require("payorder.library")

local results = {}

-- Gives what is at a path of a text. If Lua cannot read the text, the library reads it.
local function reader(raw)
  local document = json.decode(raw)
  return function(...)
    if document == nil then return library.member(raw, "/" .. table.concat({ ... }, "/")) end
    local value = document
    for _, key in ipairs({ ... }) do
      if type(value) ~= "table" then return nil end
      value = value[key]
    end
    return value
  end
end

---@class payorder.Checkout
---@field url string send the customer there
---@field responseCode string
---@field responseMessage string
---@field raw string the complete result as JSON

function results.checkout(raw)
  local at = reader(raw)
  return {
    raw = raw,
    url = at("data", "url"),
    responseCode = at("responseCode"),
    responseMessage = at("responseMessage"),
  }
end

---@class payorder.Status: table<string, string> the service's fields, "" where it sent none
---@field completed boolean whether transactionStatus is "Completed": this does not mean paid
---@field date string? such as "2026-11-21T14:05:06", without a time zone
---@field raw string

function results.status(raw)
  local at = reader(raw)
  local read = {
    raw = raw,
    responseCode = at("responseCode"),
    responseMessage = at("responseMessage"),
    completed = tostring(at("derived", "completed")) == "true",
    date = at("derived", "transactionDate"),
  }
  for _, key in ipairs(constants.STATUS_DATA) do read[key] = at("data", key) or "" end
  return read
end

---@class payorder.Error the keys of the library's error object
---@field kind "not_sent"|"rejected"|"unknown"|"unusable"
---@field message string
---@field cause string
---@field action string
---@field violations {field: string, rule: string, message: string}[]
---@field statusQuery table? what to give to get_status, which takes the error too
---@field asked table? what a failed query asked
---@field raw string
local Error = {}
Error.__index = Error
results.Error = Error
function Error:__tostring() return ("%s (%s)"):format(self.message, self.name) end

-- An error: the keys of the library's error object, `kind` and `raw`.
function results.failure(raw, kind)
  local at = reader(raw)
  local made = setmetatable({ raw = raw }, Error)
  for _, key in ipairs(constants.ERROR_TEXTS) do made[key] = at("error", key) end
  for _, key in ipairs(constants.ERROR_VALUES) do
    local value = at("error", key)
    made[key] = type(value) == "string" and json.decode(value) or value
  end
  made.violations = made.violations or {}
  made.kind = kind or made.outcome
  local seen = library.member(raw, "/error/status")
  made.status = seen and results.status(seen)
  return made
end

function results.own_error(result, cause, action, message, more, kind)
  local _, raw = library.own_text(result, cause, action, message, more)
  return results.failure(raw, kind)
end

---@class payorder.Waited
---@field final boolean this does not mean paid
---@field timedOut boolean
---@field status payorder.Status? the last one seen
---@field error payorder.Error? of the last query

function results.waited(raw)
  local at = reader(raw)
  local seen, problem = library.member(raw, "/status"), library.member(raw, "/error")
  return {
    raw = raw,
    final = tostring(at("final")) == "true",
    timedOut = tostring(at("timedOut")) == "true",
    polls = tonumber(at("polls")),
    status = seen and results.status(seen),
    error = problem and results.failure('{"error":' .. problem .. "}"),
  }
end

function results.entry(fields)
  fields.statusQuery = { searchType = "1", orderId = fields.orderId }
  return fields
end

function results.entries(list)
  for _, fields in ipairs(list) do results.entry(fields) end
  return list
end

-- What a function makes of the library's text, or nil and the error.
function results.read(reader, raw, problem)
  if raw then return reader(raw) end
  return nil, problem
end

return results
