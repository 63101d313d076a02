# frozen_string_literal: true

require_relative "support"
require "bigdecimal"
require "payorder/testing"
require "pp"

class OutcomesTest < Minitest::Test
  include Support

  def test_an_amount_may_be_a_big_decimal
    assert_match(%r{/checkout/\d+\z}, client.create_order(new_order(amount: BigDecimal("100"))).url)
  end

  def test_names_of_ruby_are_accepted_and_the_words_of_the_library_stay
    error = assert_raises(Payorder::InvalidRequestError) { client.get_status({}) }
    assert_match(/orderId/, error.message)
    assert_equal "order_id", error.violations[0].field
    order = new_order
    client.create_order(order)
    assert_equal order[:order_id], client.get_status({ "order_id" => order[:order_id] }).order_id
    error = assert_raises(Payorder::InvalidArgumentError) { client.get_status(Object.new) }
    assert_match(/order_id in the query is an object of the class Object/, error.message)
  end

  def test_a_key_that_is_given_twice_is_refused
    status = '{"responseCode":"200","data":{"orderId":"1","amount":"1.00"}}'
    error = assert_raises(Payorder::UnusableTextError) do
      Payorder.verify_payment({ order_id: "1", amount: "100.00", "amount" => "1.00" }, status)
    end
    assert_match(/amount is given twice/, error.message)
    assert_equal Payorder::Cause::DUPLICATE_KEY, error.cause_name
    order = new_order
    [-> { client.create_order({ **order, "orderId" => "2" }) },
     -> { client.create_order(order, extra_fields: { a: 1, "a" => 2 }) },
     -> { client.create_order(order, timeout: 5, timeout_ms: 1) },
     -> { client.create_order(order, cancellation: nil, **{ "cancellation" => nil }) },
     -> { client.get_status({ order_id: "1", "orderId" => "2" }) },
     -> { client.get_statuses([{ order_id: "1", "orderId" => "2" }]) {} },
     -> { client.recover([{ order_id: "1", amount: "1.00", "amount" => "2.00" }]) },
     -> { client.start(:get_status, "1", timeout: 5, timeout_ms: 1) }].each do |call|
      error = assert_raises(Payorder::InvalidArgumentError, &call)
      assert_match(/given twice.*; nothing was sent/, error.message)
    end
    refute(seen?(order))
    [{ timeout: 5, timeout_ms: 1 }, { tls: { ca_file: "a", "caFile" => "b" } }].each do |config|
      assert_raises(Payorder::InvalidConfigError) { Payorder::Client.from_env(**config) }
    end
  end

  def test_what_cannot_be_used_is_an_error_of_the_package
    [Float::NAN, Float::INFINITY].each do |time|
      assert_raises(Payorder::InvalidArgumentError) { client.get_status("1", timeout: time) }
      assert_raises(Payorder::InvalidConfigError) { Payorder::Client.from_env(timeout: time) }
    end
    [nil, "ORD-1"].each do |queries|
      assert_raises(Payorder::InvalidArgumentError) { client.get_statuses(queries) {} }
    end
    [-> { client.create_order(new_order, cancellation: "x") }, -> { client.recover(5) },
     -> { client.recover([5]) },
     -> { client.create_order(new_order, **{ "cancellation" => "x" }) },
     -> { client.start(:get_status, "1", cancellation: "x") }].each do |call|
      assert_raises(Payorder::InvalidArgumentError, &call)
    end
  end

  def test_a_missing_credential_is_not_replaced_by_that_of_the_client
    order = new_order
    [-> { client.create_order(order, access_token: nil) },
     -> { client.start(:create_order, order, access_token: nil) },
     -> { client.get_status("1", "clientKey": nil) },
     -> { client.set_credentials(secret_key: nil) },
     -> { Payorder::Client.from_env(client_id: nil) }].each do |call|
      error = assert_raises(Payorder::NotSentError, &call)
      assert_match(/must be a string, not null/, error.message)
    end
    refute(seen?(order))
    assert client.create_order(order, timeout: nil, cancellation: nil).url
  end

  def test_an_order_may_be_a_struct_and_nothing_without_fields
    order = new_order
    assert client.create_order(Struct.new(*order.keys).new(*order.values)).url
    [[1], "{}", 1].each do |other|
      error = assert_raises(Payorder::InvalidArgumentError) { client.create_order(other) }
      assert_match(/the order must be a Hash, not .*; nothing was sent/, error.message)
    end
  end

  def test_functions_without_the_network_also_take_a_struct_and_show_no_data_of_others
    order = new_order
    struct = ->(fields) { Struct.new(*fields.keys).new(*fields.values) }
    assert_equal Payorder.build_create_order(order), Payorder.build_create_order(struct[order])
    expected = { order_id: "1", amount: "2.00" }
    status = Payorder::Testing.status(transaction_status: "Completed", **expected)
    assert Payorder.verify_payment(struct[expected], status).paid?
    [nil, 1, [order]].each do |other|
      [-> { Payorder.verify_payment(other, status) }, -> { Payorder.build_get_status(other) },
       -> { Payorder.build_create_order(other) }].each do |call|
        error = assert_raises(Payorder::UnusableTextError, &call)
        assert_equal "the argument must be a Hash, not #{other.class}", error.message
      end
    end
  end

  def test_errors_are_raised_as_those_of_ruby
    error = assert_raises(Payorder::ResponseTimeoutError) { raise Payorder::ResponseTimeoutError }
    assert_equal ["Payorder::ResponseTimeoutError", Payorder::Result::TIMEOUT, "unknown"],
                 [error.message, error.result, error.outcome]
    error = assert_raises(Payorder::NotSentError) { raise Payorder::NotSentError, "planned" }
    assert_equal %w[planned not_sent], [error.message, error.outcome]
    [Payorder::LibraryError, Payorder::OrderInterrupted].each { |kind| assert kind.new.action }
  end

  # Rails and decorators copy what they are given.
  def test_a_copy_of_a_client_or_a_cancellation_is_the_object_itself
    [client, Payorder::Cancellation.new].each do |object|
      [object.dup, object.clone, object.clone(freeze: false)].each { |one| assert_same object, one }
    end
  end

  def test_an_order_may_be_keywords
    order = new_order
    assert client.create_order(**order, timeout: 5).url
    assert_equal order[:order_id], client.get_status(order[:order_id]).order_id
  end

  def test_a_query_may_be_keywords
    order = new_order
    client.create_order(order)
    id = order[:order_id]
    assert_equal id, client.get_status(order_id: id, timeout: 5).order_id
    error = assert_raises(Payorder::RejectedError) { client.get_status(transaction_id: "none") }
    assert_equal({ "transactionId" => "none" }, error.asked)
    assert_equal 1, client.wait_for_payment(order_id: id, wait: 0.001).polls
    client.start(:create_order, **new_order, timeout: 5)
    assert client.take(60).value.url
    client.start(:get_status, order_id: id)
    assert_equal id, client.take(60).value.order_id
    assert_raises(Payorder::InvalidRequestError) { client.get_status }
  end

  def test_times_are_in_seconds
    limited = assert_raises(Payorder::RateLimitedError) do
      client.create_order(new_order("sandbox:rate-limit"), timeout: 5.5)
    end
    assert_equal 1.0, limited.retry_after
    waited = client.wait_for_payment("none", wait: 0.0001, interval: 0.02)
    assert waited.timed_out?
  end

  def test_the_beginning_of_a_sale_is_a_time
    began = Time.new(2026, 11, 27, 1, 0, 0, "+05:30")
    status = '{"responseCode":"200","data":{"transactionDate":"11/01/2026 02:05:06 PM"}}'
    verdict = Payorder.verify_payment({ order_id: "1", amount: "2", not_before: began }, status)
    assert_includes verdict.reasons.map(&:expected), "2026-11-26T19:30:00Z"
  end

  def test_results_with_the_same_text_are_equal
    one, two = Array.new(2) { Payorder::Testing.status(order_id: "1", amount: "2") }
    assert_equal one, two
    assert_equal 1, [one, two].uniq.size
    refute_equal one, Payorder::Testing.status(order_id: "2")
  end

  def test_a_program_can_be_tested_without_a_service
    assert_equal "https://x.example/1", Payorder::Testing.checkout("https://x.example/1").url
    status = Payorder::Testing.status(order_id: "1", amount: "2.00", transaction_id: "T",
                                      transaction_status: "Completed")
    assert status.completed?
    assert Payorder.verify_payment({ order_id: "1", amount: "2" }, status).paid?
    dated = Payorder::Testing.status(transaction_date: "2026-11-01T14:05:06")
    assert_equal "11/01/2026 02:05:06 PM", dated.transaction_date_text
    text = Payorder::Testing.status(transaction_date_text: "11/01/2026 02:05:06 PM")
    expected = { order_id: "1", amount: "2", not_before: Time.utc(2026, 11, 20) }
    [dated, text].each do |early|
      verdict = Payorder.verify_payment(expected, early)
      assert_includes verdict.reasons.map(&:check), "transactionDate"
    end
    assert_equal dated.transaction_date_text, text.transaction_date_text
    error = Payorder::Testing.error(Payorder::ResponseTimeoutError, status_query: { orderId: "1" })
    assert_equal [200, "unknown", "ask_status"], [error.result, error.outcome, error.action]
    assert_equal({ order_id: "1" }, error.status_query)
    assert_kind_of Payorder::OutcomeUnknownError, error
    assert_equal "not_sent", Payorder::Testing.error(Payorder::NotSentError).outcome
    assert_equal "rejected", Payorder::Testing.error(Payorder::UnauthorizedError).outcome
    cancelled = Payorder::Testing.error(Payorder::CancelledInFlightError, status: status)
    assert_equal status, cancelled.status
    seen = { order_id: "1", transaction_status: "Pending" }
    cancelled = Payorder::Testing.error(Payorder::CancelledInFlightError, status: seen)
    assert_equal "Pending", cancelled.status.transaction_status
    # The sandbox has no such order.
    late = Payorder::Testing.error(Payorder::ResponseTimeoutError)
    assert_raises(Payorder::RejectedError) { client.get_status(late) }
    waited = Payorder::Testing.waited(status)
    unusable = assert_raises(Payorder::UnusableTextError) do
      Payorder.verify_payment({ order_id: "1", amount: "2" }, waited)
    end
    assert_match(/must be a Status, such as `waited.status`/, unusable.message)
    assert_equal [true, false, status], [waited.final?, waited.timed_out?, waited.status]
    assert_kind_of Payorder::ResponseTimeoutError, Payorder::Testing.waited(nil, error: error).error
  end

  def test_an_earlier_order_is_an_entry_of_the_journal_also_in_tests
    Dir.mktmpdir do |folder|
      Payorder::Client.from_env(journal: "#{folder}/orders.db") do |till|
        order = new_order
        till.create_order(order)
        error = assert_raises(Payorder::DuplicateError) { till.create_order(order) }
        planned = Payorder::Testing.error(Payorder::DuplicateError, previous: error.previous)
        assert_equal order[:order_id], error.previous.order_id
        assert_equal error.previous, planned.previous
        assert_equal [error.cause_name, error.action], [planned.cause_name, planned.action]
        assert_equal error.status_query, planned.status_query
        assert_equal order[:order_id], till.get_status(error.previous).order_id
      end
    end
  end

  def test_what_the_service_says_to_each_query_of_a_resolve
    Dir.mktmpdir do |folder|
      Payorder::Client.from_env(journal: "#{folder}/orders.db") do |till|
        2.times { till.create_order(new_order) }
        assert_match(/\w/, till.journal_resolve(client_key: "wrong").refusal)
        assert_nil till.journal_resolve.refusal
      end
    end
  end

  def test_the_error_of_a_query_asks_again
    order = new_order
    client.create_order(order)
    # What the program changes meanwhile changes nothing.
    query = order[:order_id].dup
    error = assert_raises(Payorder::UnauthorizedError) do
      changing = Payorder::Client.from_env(client_key: "wrong", log: ->(_) { query << "-2" })
      changing.get_status(query)
    end
    assert_equal order[:order_id], client.get_status(error).order_id
    query = order[:order_id].dup
    queries = [query, "none"]
    results = []
    client.get_statuses(queries, client_key: "wrong", concurrency: 1) do |result|
      queries.clear
      query << "-2"
      results << result
    end
    assert_equal order[:order_id], client.get_status(results.first.error).order_id
    assert_equal "none", results.last.query
    unsent = assert_raises(Payorder::InvalidRequestError) { client.create_order({}) }
    error = assert_raises(Payorder::InvalidArgumentError) { client.get_status(unsent) }
    assert_match(/names no order: give get_status the order id/, error.message)
  end

  def test_a_status_shows_no_personal_data
    order = new_order
    client.create_order(order)
    status = client.get_status(order[:order_id])
    assert_equal "Asha Rao", status.customer_name
    assert_equal status.inspect, status.to_s
    assert_equal status.inspect, JSON.parse(JSON.generate(status: status))["status"]
    refute_match(/Asha/, [status.inspect, status.to_s, status.as_json, PP.pp(status, +"")].join)
    refute_match(/hidden/, client.get_statuses(["1"], secret_key: "hidden").inspect)
    assert_equal "#<Payorder::Client>\n", PP.pp(client, +"")
  end
end

class TextTest < Minitest::Test
  include Support

  CREATED = '{"responseCode":"200","responseMessage":"ok","data":{"url":"https://x.example/1"}%s}'

  def test_text_in_another_encoding_arrives_as_utf_8_or_is_refused
    body = Payorder.build_create_order(new_order("é".encode("ISO-8859-1")))
    assert_equal "é", JSON.parse(body)["productInfo"]
    error = assert_raises(Payorder::InvalidArgumentError) { client.create_order(new_order("\xff")) }
    assert_equal Payorder::Cause::NOT_UTF8, error.cause_name
    assert_match(/product_info in the order is not UTF-8; nothing was sent/, error.message)
    [BigDecimal("17"), 1e16].each do |id|
      assert_raises(Payorder::NotSentError) { client.create_order(new_order(order_id: id)) }
      assert_raises(Payorder::NotSentError) { client.get_status(id) }
    end
  end

  def test_a_result_that_ruby_cannot_parse_keeps_its_checkout_url
    deep = ",\"later\":#{"[" * 300}#{"]" * 300}"
    assert_nil Payorder::Library.parse(format(CREATED, deep))
    checkout = Payorder::Checkout.new(format(CREATED, ",\"later\":#{"[" * 110}#{"]" * 110}"))
    assert_equal "https://x.example/1", checkout.url
    Payorder::Library.stub(:parse, nil) do
      assert_equal "https://x.example/1", Payorder::Checkout.new(format(CREATED, "")).url
      raw = '{"error":{"result":201,"name":"N","outcome":"unknown","message":"m"}}'
      assert_equal "m", Payorder::Error.of(201, raw).message
    end
  end

  def test_the_end_of_a_wait_may_be_longer_than_the_library_reads
    status = { data: { transactionStatus: "Completed", more: "x" * (16 << 20) } }
    waited = Payorder::Waited.new(JSON.generate(final: true, status: status, error: nil))
    assert_equal "Completed", waited.status.transaction_status
    assert_nil waited.error
    error = Payorder::Error.of(201, JSON.generate(error: { status: status, message: "m" }))
    assert_equal "Completed", error.status.transaction_status
    failed = Payorder::Waited.new(JSON.generate(error: { status: status, result: 201 }))
    assert_equal 201, failed.error.result
  end
end
