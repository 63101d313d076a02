# frozen_string_literal: true

module Payorder
  # Names: Ruby's are in snake_case, the service's in camelCase.
  module Names
    # The service's name of a name in Ruby. A string that is not such a name stays as it is.
    def self.wire(name)
      return WIRE.fetch(name, name) unless name.is_a?(Symbol)

      WIRE[name.to_s] || name.to_s.gsub(/_([a-z])/) { Regexp.last_match(1).upcase }
    end

    # A hash with the service's names.
    def self.wire_hash(hash)
      renamed(hash) { |key, value| [wire(key), value] }
    end

    # The same of what a program gives: a Hash, or a Struct.
    def self.wire_fields(given, what)
      return wire_hash(given.to_h) if given.is_a?(Hash) || given.respond_to?(:members)

      raise Library::Unusable.new("#{what} must be a Hash, not #{given.class}", Cause::INVALID_VALUE)
    end

    # A hash with the keys and values that the block gives. Of two values for a key, as a Symbol and
    # as a String, none is right.
    def self.renamed(hash)
      hash.each_with_object({}) do |(key, value), made|
        name, value = yield key, value
        if made.key?(name)
          raise Library::Unusable.new("#{ruby(name)} is given twice", Cause::DUPLICATE_KEY)
        end

        made[name] = value
      end
    end

    # A hash of the library, such as a status query, with Ruby's names.
    def self.ruby_hash(hash)
      hash&.to_h { |key, value| [ruby(key).to_sym, value] }
    end

    # Times that may be given in seconds. With _ms at the end, they are in milliseconds.
    SECONDS = %w[timeout connectTimeout maxIdle wait interval maxInterval].freeze

    # Without one of these, the client's own would be used, perhaps another merchant's.
    CREDENTIALS = %w[accessToken clientKey clientId secretKey].freeze

    # Options, or a configuration. Those that are nil are left out; the library refuses a credential
    # that is nil.
    def self.options(hash)
      given = wire_hash(hash).reject { |key, value| value.nil? && !CREDENTIALS.include?(key) }
      renamed(given) do |key, value|
        next [key, value] unless SECONDS.include?(key)

        ["#{key}Ms", value.is_a?(Numeric) && value.finite? ? (value * 1000).ceil : value]
      end
    end

    def self.ruby(name)
      name.gsub(/URL\z/, "_url").gsub(/[A-Z]/) { |letter| "_#{letter.downcase}" }
    end

    # The members of a structure with these keys.
    def self.members(keys)
      keys.map { |key| ruby(key).to_sym }
    end

    WIRE = WIRE_NAMES.to_h { |name| [ruby(name), name] }.freeze
  end

  # Reads the library's results. `raw` is the JSON text, also with fields that this version does not
  # know.
  class Reading
    attr_reader :raw

    def initialize(raw)
      @raw = raw
      @document = Library.parse(raw)
    end

    # Whether the library's text is the same.
    def ==(other)
      other.instance_of?(self.class) && other.raw == raw
    end
    alias eql? ==

    def hash
      [self.class, raw].hash
    end

    # What goes into texts, logs and JSON: what `inspect` shows. Take `raw` for everything.
    def to_s
      inspect
    end

    # The same for Rails.
    def as_json(*)
      inspect
    end

    private

    # What is at a path. If Ruby cannot parse the text, the library reads it, and all is text.
    def at(*path)
      @document ? @document.dig(*path) : Library.member(@raw, "/#{path.join("/")}")
    end

    def true_at?(*path)
      at(*path).to_s == "true"
    end
  end

  # A created order: send the customer to `url`.
  class Checkout < Reading
    attr_reader :url, :response_code, :response_message

    def initialize(raw)
      super
      @url = at("data", "url")
      @response_code = at("responseCode")
      @response_message = at("responseMessage")
    end

    def inspect
      "#<#{self.class} url=#{url.inspect}>"
    end
  end

  # What the service knows about an order. It does not prove a payment: see Payorder.verify_payment.
  class Status < Reading
    DATA = (STATUS_DATA - ["transactionDate"]).freeze

    attr_reader :response_code, :response_message, :transaction_date_text,
                *DATA.map { |key| Names.ruby(key) }

    # The date and time without a time zone, such as "2026-11-21T14:05:06", or nil.
    attr_reader :transaction_date

    def initialize(raw)
      super
      @response_code = at("responseCode")
      @response_message = at("responseMessage")
      DATA.each { |key| instance_variable_set("@#{Names.ruby(key)}", at("data", key) || "") }
      @transaction_date_text = at("data", "transactionDate") || ""
      @transaction_date = at("derived", "transactionDate")
      @completed = true_at?("derived", "completed")
    end

    # Whether `transaction_status` is "Completed".
    def completed?
      @completed
    end

    # Without the customer's data, because it often ends up in logs.
    def inspect
      "#<#{self.class} order_id=#{order_id.inspect} amount=#{amount.inspect} " \
        "transaction_status=#{transaction_status.inspect}>"
    end
  end

  # The result of waiting: the last `status` seen or nil, and the last query's `error` or nil.
  class Waited < Reading
    attr_reader :polls, :status, :error

    def initialize(raw)
      super
      @polls = at("polls").to_i
      status = Library.part(raw, "/status", at("status"))
      error = Library.part(raw, "/error", at("error"))
      @status = status && Status.new(status)
      number = error && at("error", "result").to_i
      @error = error && Error.of(number, "{\"error\":#{error}}")
    end

    # This does not mean paid.
    def final?
      true_at?("final")
    end

    def timed_out?
      true_at?("timedOut")
    end

    def inspect
      "#<#{self.class} final=#{final?} status=#{status.inspect} error=#{error.inspect}>"
    end
  end

  # One result of many: `query` is the object that was given.
  StatusResult = Struct.new(:index, :query, :status, :error)

  # Makes a structure of the library's hash.
  module FromFields
    def read(fields)
      new(**members.to_h { |name| [name, fields[Names.wire(name)]] })
    end
  end

  Summary = Struct.new(*Names.members(SUMMARY), keyword_init: true) { extend FromFields }

  # `events` are hashes with the keys of the library's JSON; nil if they were not asked for.
  JournalEntry = Struct.new(*Names.members(ENTRY), keyword_init: true) do
    extend FromFields

    def self.list(read)
      read["entries"].map { |fields| self.read(fields) }
    end

    # What to give to `get_status`.
    def status_query
      { search_type: "1", order_id: order_id }
    end
  end

  FailedCheck = Struct.new(:check, :expected, :actual) do
    def self.all(read)
      read.map { |one| new(one["check"], one["expected"], one["actual"]) }
    end
  end

  # One open sale: the README says what each `verdict` means. `entry` is the journal entry's number.
  Sale = Struct.new(*Names.members(SALE), keyword_init: true) do
    extend FromFields

    def self.read(fields)
      sale = super
      sale.status_query = Names.ruby_hash(sale.status_query)
      sale.reasons = FailedCheck.all(sale.reasons)
      sale
    end
  end

  # `refusal` has the service's words, if it refused every query of two or more, or nil.
  Recovered = Struct.new(:summary, :other_services, :refusal, :sales) do
    def self.read(fields)
      new(Summary.read(fields["summary"]), fields["otherServices"], fields["refusal"],
          fields["sales"].map { |sale| Sale.read(sale) })
    end
  end

  CheckStep = Struct.new(*Names.members(CHECK_STEP), keyword_init: true) do
    extend FromFields

    def self.read(fields)
      super.tap { |step| step.details = Names.ruby_hash(step.details) }
    end
  end

  # What `check` found. After a step that failed, those that need it are left out.
  Checked = Struct.new(:ok, :steps) do
    def self.read(fields)
      new(fields["ok"], fields["steps"].map { |step| CheckStep.read(step) })
    end
  end

  # `entries` are the unresolved ones, and `other_services` says how many belong to other services.
  # `refusal` is as in Recovered.
  Resolved = Struct.new(:summary, :other_services, :refusal, :entries)

  # What to do next with the URL on which the customer returned: ask for `status_query`.
  class ReturnUrl < Reading
    def transaction_id
      at("transactionId")
    end

    def status_query
      Names.ruby_hash(at("statusQuery"))
    end
  end

  # Whether an order is paid, and if not, why.
  class Verification < Reading
    def paid?
      at("paid") == true
    end

    def reasons
      FailedCheck.all(at("reasons"))
    end

    def unverifiable
      at("unverifiable")
    end
  end
end
