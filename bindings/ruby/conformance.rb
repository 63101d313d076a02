# frozen_string_literal: true

# The package's driver of the conformance suite: see bindings/conformance/README.md. It uses the
# package as a program does, and reports what the package's own objects say.

require "json"
$LOAD_PATH.unshift("#{__dir__}/lib")
$stdout.sync = true

require "payorder"
begin
  Payorder.version
rescue Payorder::NotSentError => e
  puts JSON.generate(refused: e.message)
  exit 1
end

CLASSES = {
  not_sent: "NotSentError", rejected: "RejectedError", unknown: "OutcomeUnknownError",
  unusable: "UnusableTextError",
  **Payorder::ERROR_CLASSES.to_h do |number, kind|
    ["PAYORDER_#{Payorder::Result.constants.find { |name| Payorder::Result.const_get(name) == number }}",
     kind.name.split("::").last]
  end
}.freeze
CHECKOUT = %w[url responseCode responseMessage].freeze
STATUS = (%w[responseCode responseMessage] + Payorder::Status::DATA).freeze
ERROR = (Payorder::ERROR_DETAILS - %w[cause status]).freeze

Planted = Class.new(StandardError)

# ---- Reports: the package's objects as JSON ----

def pick(names, value)
  names.to_h { |name| [name, value_report(value.public_send(Payorder::Names.ruby(name)))] }
end

def error_report(error)
  kinds = { Payorder::NotSentError => "not_sent", Payorder::RejectedError => "rejected",
            Payorder::OutcomeUnknownError => "unknown", Payorder::UnusableTextError => "unusable" }
  { **pick(ERROR, error), "cause" => error.cause_name, "class" => error.class.name.split("::").last,
    "caught" => kinds.find { |kind, _| error.is_a?(kind) }.last,
    "status" => value_report(error.status) }
end

def value_report(value)
  case value
  when Payorder::Error then error_report(value)
  when Payorder::Checkout then pick(CHECKOUT, value)
  when Payorder::Status
    { **pick(STATUS, value), "completed" => value.completed?, "raw" => value.raw,
      "transactionDate" => value.transaction_date_text, "date" => value.transaction_date }
  when Payorder::Waited
    { **pick(%w[polls status error], value), final: value.final?, timedOut: value.timed_out? }
  when Payorder::Verification
    { **pick(%w[reasons unverifiable], value), paid: value.paid? }
  when Payorder::ReturnUrl then pick(%w[transactionId statusQuery], value)
  when Payorder::Violation then { field: Payorder::Names.wire(value.field), rule: value.rule }
  when Struct then value_report(value.to_h)
  when Hash then value.to_h { |key, one| [Payorder::Names.wire(key), value_report(one)] }
  when Array then value.map { |one| value_report(one) }
  else value
  end
end

# ---- Steps ----

STATE = { clients: {}, cancellations: {}, threads: {}, events: Queue.new }.freeze

def client(step)
  STATE[:clients].fetch(step["client"])
end

def object(step)
  step["cancellation"] ? STATE[:cancellations].fetch(step["cancellation"]) : client(step)
end

def named(given)
  (given || {}).transform_keys(&:to_sym)
end

def options(step)
  cancellation = STATE[:cancellations][step["cancellation"]]
  { **named(step["options"]), **(cancellation ? { cancellation: cancellation } : {}) }
end

def thread_name
  Thread.current[:in_step] ? "caller" : "other"
end

def statuses(step)
  items = step["report"]["items"] = []
  client(step).get_statuses(step["queries"], **options(step)) do |result|
    items << { index: result.index, ok: result.error.nil?, thread: thread_name,
               value: value_report(result.status), error: value_report(result.error) }
    next unless step["then"] && items.size == step["at"] + 1

    next :stop if step["then"]["op"] == "stop"

    perform(step["then"])
  end
end

def journal(step)
  given = options(step)
  case step["do"]
  when "settle" then client(step).journal_settle(given.delete(:entry), **given)
  else client(step).public_send("journal_#{step["do"]}", **given)
  end
end

def listen(step)
  client(step).log = step["on"] == false ? nil : lambda do |event|
    STATE[:events] << { **event, thread: thread_name }
    perform(step["then"]) if step["then"] && event[:event] == step["at"]
  end
end

# In the background: in the library's queue with --started, or in a thread.
STARTED = { "create" => :create_order, "status" => :get_status, "wait" => :wait_for_payment }.freeze

def background(step)
  if ARGV.include?("--started") && STARTED.key?(step["op"])
    given = step["order"] || step["query"]
    report = report_of { client(step).start(STARTED[step["op"]], given, **options(step)) }
    return { call: report[:value], **report }
  end
  STATE[:threads][step["thread"]] = Thread.new { run(step) }
  { ok: true }
end

def take(step)
  ended = client(step).take(60)
  step["report"][:call] = ended.id
  ended.value
end

# Those that make something, and those that only do something.
MAKE = {
  create: ->(step) { client(step).create_order(step["order"], **options(step)) },
  status: ->(step) { client(step).get_status(step["query"], **options(step)) },
  wait: ->(step) { client(step).wait_for_payment(step["query"], **options(step)) },
  check: ->(step) { client(step).check(**options(step)) },
  recover: ->(step) { client(step).recover(step["sales"], **options(step)) },
  statuses: ->(step) { statuses(step) },
  journal: ->(step) { journal(step) },
  build: lambda do |step|
    next Payorder.build_get_status(step["query"]) if step["query"]

    Payorder.build_create_order(step["order"], **named(step["options"]))
  end,
  parse: ->(step) { Payorder.parse_return_url(step["url"]) },
  take: ->(step) { take(step) },
  verify: ->(step) { Payorder.verify_payment(step["expected"], step["status"]) },
  events: ->(_) { Array.new(STATE[:events].size) { STATE[:events].pop } },
  counters: ->(_) { Payorder.live_counters }
}.freeze
DO = {
  open: lambda do |step|
    STATE[:clients][step["client"]] = Payorder::Client.new(**named(step["config"]))
  end,
  credentials: ->(step) { client(step).set_credentials(**named(step["credentials"])) },
  shutdown: ->(step) { client(step).stop },
  cancellation: lambda do |step|
    STATE[:cancellations][step["cancellation"]] = Payorder::Cancellation.new
  end,
  cancel: ->(step) { object(step).cancel },
  close: ->(step) { object(step).close },
  log: ->(step) { listen(step) },
  collect: ->(_) { 5.times { GC.start } },
  forget: ->(step) { STATE[:clients].delete(step["client"]) },
  throw: ->(_) { raise Planted, "planted" }
}.freeze

# Runs a step, and gives the package's own object.
def perform(step)
  op = step["op"].to_sym
  return MAKE[op].call(step) if MAKE.key?(op)

  DO.fetch(op).call(step)
  nil
end

# Runs a step, and reports how it ended.
def run(step)
  Thread.current[:in_step] = true
  report = step["report"] = {}
  report.update(report_of { perform(step) })
end

def report_of
  { ok: true, value: value_report(yield) }
rescue Payorder::Error => e
  { ok: false, error: error_report(e) }
rescue Planted => e
  { ok: false, thrown: e.message }
end

puts JSON.generate(
  driver: "ruby", language: "Ruby #{RUBY_VERSION}", library: Payorder.version,
  abi: Payorder::ABI_VERSION, classes: CLASSES,
  features: [*%w[exceptions threads gc log-in-call load opens untyped closing query-text check],
             *("started" if ARGV.include?("--started"))]
)
$stdin.set_encoding("UTF-8")
while (line = $stdin.gets)
  step = JSON.parse(line)
  report = if step["op"] == "join"
             STATE[:threads].delete(step["thread"]).value
           else
             step["thread"] ? background(step) : run(step)
           end
  puts JSON.generate(report)
end
