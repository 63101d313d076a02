# frozen_string_literal: true

module Payorder
  # The base class of all errors. Its three subclasses say what happened to the order.
  class Error
    TEXTS = { name: "name", outcome: "outcome", cause_name: "cause", action: "action",
              operation: "operation", response_code: "responseCode",
              response_message: "responseMessage", checkout_url: "checkoutUrl",
              request_id: "requestId", response_body: "responseBody" }.freeze
    VALUES = { result: "result", attempts: "attempts", elapsed_ms: "elapsedMs",
               http_status: "httpStatus", retry_after_ms: "retryAfterMs",
               status_query: "statusQuery", previous: "previous" }.freeze

    # @return [String] the library's error object as JSON text
    attr_reader :raw
    # @return [Array<Violation>]
    attr_reader :violations
    # @return [Status, nil] the last status that a failed wait saw
    attr_reader :status
    # @return [Hash, nil] what a failed `get_status` asked, which takes the error to ask it again
    attr_accessor :asked
    # @!attribute [r] cause_name
    #   @return [String] what exactly happened: see Cause
    # @!attribute [r] action
    #   @return [String] what to do next: see Action
    # @!attribute [r] status_query
    #   @return [Hash, nil] what to give to `get_status`
    # @!attribute [r] previous
    #   @return [JournalEntry, nil] with DuplicateError: the entry of the earlier order
    attr_reader(*TEXTS.keys, *VALUES.keys)

    # Another text than the library's is a message, as in `raise ResponseTimeoutError, "planned"`.
    def initialize(raw = self.class.name)
      @raw = raw = raw.start_with?("{") ? raw : Error.planned(self.class, raw)
      error = fields
      super(error["message"])
      TEXTS.merge(VALUES).each { |name, key| instance_variable_set("@#{name}", error[key]) }
      @status_query = Names.ruby_hash(@status_query)
      @previous &&= JournalEntry.read(@previous)
      @violations = (error["violations"] || []).map do |one|
        Violation.new(Names.ruby(one["field"]), one["rule"], one["message"])
      end
      status = Library.part(raw, "/error/status", error["status"])
      @status = status && Status.new(status)
    end

    # @return [Float, nil] how many seconds the service asked to wait
    def retry_after
      retry_after_ms && (retry_after_ms / 1000.0)
    end

    private

    # The members of the error object. If Ruby cannot parse the text, the library reads it.
    def fields
      document = Library.parse(@raw)
      return document["error"] if document

      found = ["message", *TEXTS.values].to_h { |key| [key, Library.member(@raw, "/error/#{key}")] }
      VALUES.each_value do |key|
        text = Library.member(@raw, "/error/#{key}")
        found[key] = text && Library.parse(text)
      end
      found
    end
  end

  # A field that breaks a rule: `field` has Ruby's name, and `message` the service's.
  Violation = Struct.new(:field, :rule, :message)

  # There is no library that this package can use. The message has the loader's own words.
  class LibraryError < InvalidConfigError
    def initialize(message = self.class.name)
      super(Error.raw(Result::INVALID_CONFIG, Cause::UNREADABLE_FILE, Action::FIX_CONFIGURATION,
                      message))
    end
  end

  # Ctrl-C, Timeout, Thread#raise or Thread#kill ended `create_order`, and the order may exist. If
  # it was created before, `checkout` has its URL. If they ended `start`, `id` is the number of the
  # call, whose answer `take` gives. `cause` is the exception from outside, if any.
  class OrderInterrupted < CancelledInFlightError
    attr_reader :checkout, :id

    def initialize(raw = self.class.name, checkout = nil, id = nil)
      super(raw)
      @checkout = checkout
      @id = id
    end

    def self.started(id, query)
      message = "interrupted when the order was started; `take` gives the answer of call #{id}"
      new(Call.unknown(:create_order, query, Result::CANCELLED_IN_FLIGHT, Cause::CANCELLED, message),
          nil, id)
    end
  end

  # From the functions that do not use the network. It says nothing about an order.
  class UnusableTextError < Error; end

  class Error
    # Of the classes that have no result of their own.
    OTHER_RESULTS = { NotSentError => Result::INVALID_CONFIG, RejectedError => Result::REJECTED,
                      OutcomeUnknownError => Result::TIMEOUT,
                      OrderInterrupted => Result::CANCELLED_IN_FLIGHT }.freeze

    # The text of an error that a test makes, with the usual cause and action of its class.
    def self.planned(kind, message, more = {})
      result = ERROR_CLASSES.key(kind) || OTHER_RESULTS.fetch(kind, Result::INVALID_REQUEST)
      previous = more[:previous].to_h
      cause, action = USUAL_CAUSES[previous[:url] ? "url" : previous[:state]] ||
                      USUAL_CAUSES.fetch(result)
      raw(result, cause, action, message, Names.wire_hash(more.transform_values do |one|
        next JSON.parse(one.raw) if one.is_a?(Status)

        one.is_a?(Hash) || one.is_a?(Struct) ? Names.wire_hash(one.to_h) : one
      end))
    end

    # The class of a result. The range of an unknown number decides.
    def self.of(result, raw)
      range = { 1..99 => NotSentError, 100..199 => RejectedError }
      (ERROR_CLASSES[result] || range.find { |numbers, _| numbers.cover?(result) }&.last ||
        OutcomeUnknownError).new(raw)
    end

    # The text of an error that this package found, in the form of the library's.
    def self.raw(result, cause, action, message, more = {})
      name = "PAYORDER_#{Result.constants.find { |one| Result.const_get(one) == result }}"
      outcome = { 0 => "not_sent", 1 => "rejected" }.fetch(result / 100, "unknown")
      error = { result: result, name: name, outcome: outcome, cause: cause, action: action,
                message: message }
      JSON.generate(error: error.merge(more))
    end

    # A value cannot be given to the library.
    def self.unusable(problem, kind = InvalidArgumentError, operation = nil)
      text = operation ? "#{problem.message}; nothing was sent" : problem.message
      more = operation ? { operation: operation, attempts: 0, elapsedMs: 0 } : {}
      kind.new(raw(Result::INVALID_ARGUMENT, problem.cause_name, Action::FIX_REQUEST, text, more))
    end
  end
end
