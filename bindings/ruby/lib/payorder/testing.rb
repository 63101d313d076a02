# frozen_string_literal: true

require "payorder"

module Payorder
  # Results and errors for the tests of a program, without a service:
  #
  #     require "payorder/testing"
  #     client = Minitest::Mock.new
  #     client.expect(:create_order, Payorder::Testing.checkout("https://pay.example.com/1"), [Hash])
  module Testing
    module_function

    # @return [Checkout]
    def checkout(url)
      Checkout.new(JSON.generate(responseCode: "200", responseMessage: "Success", data: { url: url }))
    end

    # @param fields the fields of a Status with their Ruby names; those that are left out are empty
    # @return [Status]
    def status(transaction_date: nil, **fields)
      data = Names.wire_hash(fields)
      derived = { completed: data["transactionStatus"] == "Completed",
                  transactionDate: transaction_date }
      Status.new(JSON.generate(responseCode: "200", responseMessage: "Success", data: data,
                               derived: derived))
    end

    # @param kind [Class] such as ResponseTimeoutError
    # @param more further keys of the error with their Ruby names, such as `status_query:`
    # @return [Error]
    def error(kind, message = "planned by a test", **more)
      result = ERROR_CLASSES.key(kind) || 100
      kind.new(Error.raw(result, Cause::RULE_BROKEN, Action::NONE, message,
                         Names.wire_hash(more)))
    end
  end
end
