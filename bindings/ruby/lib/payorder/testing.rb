# frozen_string_literal: true

require "date"
require "payorder"
require "payorder/testing/sandbox"

module Payorder
  # Results and errors for the tests of a program, without a service:
  #
  #     require "payorder/testing"
  #     client = Minitest::Mock.new
  #     checkout = Payorder::Testing.checkout("https://pay.example.com/1")
  #     client.expect(:create_order, checkout) { |order, *| order[:order_id] == "ORD-1" }
  module Testing
    module_function

    def checkout(url)
      Checkout.new(JSON.generate(responseCode: "200", responseMessage: "Success",
                                 data: { url: url }))
    end

    # @param fields the fields of a Status with their Ruby names; those that are left out are empty
    def status(transaction_date: nil, transaction_date_text: nil, **fields)
      data = Names.wire_hash(fields)
      data["transactionDate"] = transaction_date_text if transaction_date_text
      if transaction_date # verify_payment reads the service's form
        date = DateTime.iso8601(transaction_date)
        data["transactionDate"] = date.strftime("%m/%d/%Y %I:%M:%S %p")
      end
      derived = { completed: data["transactionStatus"] == "Completed",
                  transactionDate: transaction_date }
      Status.new(JSON.generate(responseCode: "200", responseMessage: "Success", data: data,
                               derived: derived))
    end

    # The end of a wait. If it is not final, the time ran out.
    # @param status [Status, nil] the last one seen
    # @param error [Error, nil] of the last query
    # @param final [Boolean] by default whether the status is "Completed"
    def waited(status, error: nil, final: status&.completed? || false)
      seen = status ? status.raw : "null"
      failed = error ? Library.member(error.raw, "/error") : "null"
      Waited.new("{\"final\":#{final},\"timedOut\":#{!final},\"polls\":1," \
                 "\"status\":#{seen},\"error\":#{failed}}")
    end

    # An error with the cause and the action that its class usually has, and with a `status_query`
    # if the order may exist.
    # @param kind [Class] such as ResponseTimeoutError
    # @param more further keys of the error with their Ruby names, such as `status_query:`;
    #   `previous:` has fields of a JournalEntry, and `status:` is a Status or has its fields
    def error(kind, message = "planned by a test", **more)
      return LibraryError.new(message) if kind == LibraryError

      asked = { search_type: "1", order_id: more[:previous].to_h.fetch(:order_id, "ORD-1") }
      more[:status_query] ||= asked if kind <= OutcomeUnknownError
      more[:status] = status(**more[:status]) if more[:status].is_a?(Hash)
      kind.new(Error.planned(kind, message, more))
    end
  end
end
