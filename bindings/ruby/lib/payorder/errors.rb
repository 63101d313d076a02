# frozen_string_literal: true

module Payorder
  # The base class of all errors. Its three subclasses say what happened to the order.
  class Error < StandardError
    TEXTS = { name: "name", outcome: "outcome", cause_name: "cause", action: "action",
              operation: "operation", response_code: "responseCode",
              response_message: "responseMessage", checkout_url: "checkoutUrl" }.freeze
    VALUES = { result: "result", attempts: "attempts", elapsed_ms: "elapsedMs",
               http_status: "httpStatus", retry_after_ms: "retryAfterMs",
               status_query: "statusQuery", previous: "previous" }.freeze

    # The library's error object as JSON text.
    attr_reader :raw, :violations, :status, *TEXTS.keys, *VALUES.keys

    def initialize(raw)
      @raw = raw
      error = fields
      super(error["message"])
      TEXTS.merge(VALUES).each { |name, key| instance_variable_set("@#{name}", error[key]) }
      @violations = (error["violations"] || []).map do |one|
        Violation.new(one["field"], one["rule"], one["message"])
      end
      status = error["status"] && Library.member(raw, "/error/status")
      @status = status && Status.new(status)
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

  # A field that breaks a rule. `field` has the service's name.
  Violation = Struct.new(:field, :rule, :message)

  # Nothing of the request was sent.
  class NotSentError < Error; end

  class InvalidArgumentError < NotSentError; end

  class InvalidHandleError < NotSentError; end

  class InvalidConfigError < NotSentError; end

  class InvalidRequestError < NotSentError; end

  class MissingCredentialsError < NotSentError; end

  class ConnectError < NotSentError; end

  class TlsError < NotSentError; end

  class CancelledError < NotSentError; end

  class JournalError < NotSentError; end

  class InternalError < NotSentError; end

  # The service refused the request.
  class RejectedError < Error; end

  class UnauthorizedError < RejectedError; end

  class RateLimitedError < RejectedError; end

  # The order may exist: call `get_status(error)` before anything else.
  class OutcomeUnknownError < Error; end

  class ResponseTimeoutError < OutcomeUnknownError; end

  class ConnectionLostError < OutcomeUnknownError; end

  class BadResponseError < OutcomeUnknownError; end

  class ServiceFailedError < OutcomeUnknownError; end

  class CancelledInFlightError < OutcomeUnknownError; end

  class InternalInFlightError < OutcomeUnknownError; end

  class DuplicateError < OutcomeUnknownError; end

  # Ctrl-C, Timeout, Thread#raise or Thread#kill ended `create_order`, and the order may exist. If
  # it was created before, `checkout` has its URL. `cause` is the exception from outside, if any.
  class OrderInterrupted < CancelledInFlightError
    attr_reader :checkout

    def initialize(raw, checkout = nil)
      super(raw)
      @checkout = checkout
    end
  end

  # From the functions that do not use the network. It says nothing about an order.
  class UnusableTextError < Error; end

  class Error
    CLASSES = {
      Result::INVALID_ARGUMENT => InvalidArgumentError,
      Result::INVALID_HANDLE => InvalidHandleError,
      Result::INVALID_CONFIG => InvalidConfigError,
      Result::INVALID_REQUEST => InvalidRequestError,
      Result::MISSING_CREDENTIALS => MissingCredentialsError,
      Result::CONNECT_FAILED => ConnectError,
      Result::TLS_FAILED => TlsError,
      Result::CANCELLED => CancelledError,
      Result::JOURNAL_FAILED => JournalError,
      Result::INTERNAL => InternalError,
      Result::REJECTED => RejectedError,
      Result::UNAUTHORIZED => UnauthorizedError,
      Result::RATE_LIMITED => RateLimitedError,
      Result::TIMEOUT => ResponseTimeoutError,
      Result::CONNECTION_LOST => ConnectionLostError,
      Result::BAD_RESPONSE => BadResponseError,
      Result::SERVICE_FAILED => ServiceFailedError,
      Result::CANCELLED_IN_FLIGHT => CancelledInFlightError,
      Result::INTERNAL_IN_FLIGHT => InternalInFlightError,
      Result::DUPLICATE => DuplicateError
    }.freeze

    # The class of a result. The range of an unknown number decides.
    def self.of(result, raw)
      range = { 1..99 => NotSentError, 100..199 => RejectedError }
      (CLASSES[result] || range.find { |numbers, _| numbers.cover?(result) }&.last ||
        OutcomeUnknownError).new(raw)
    end

    # The text of an error that this package found, in the form of the library's.
    def self.raw(result, cause, action, message, more = {})
      name = Library.text(Library.call(:result_name, result))
      error = { result: result, name: name, outcome: result < 100 ? "not_sent" : "unknown",
                cause: cause, action: action, message: message }
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
