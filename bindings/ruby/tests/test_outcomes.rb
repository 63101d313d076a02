# frozen_string_literal: true

require_relative "support"
require "bigdecimal"

class OutcomesTest < Minitest::Test
  include Support

  def test_a_sale_from_the_order_to_the_verified_payment
    order = new_order(amount: BigDecimal("100"))
    checkout = client.create_order(order)
    assert_match(%r{/checkout/\d+\z}, checkout.url)
    assert_equal checkout.url, JSON.parse(checkout.raw)["data"]["url"]
    expected = { order_id: order[:order_id], amount: "100" }
    refute Payorder.verify_payment(expected, client.get_status(order[:order_id])).paid?

    returned = Payorder.parse_return_url(press(checkout.url, "pay"))
    waited = client.wait_for_payment(returned)
    assert waited.final?
    refute waited.timed_out?
    assert_nil waited.error
    assert_equal returned.transaction_id, waited.status.transaction_id
    assert_match(/\A\d{4}-\d\d-\d\dT/, waited.status.transaction_date)
    assert Payorder.verify_payment(expected, waited.status).paid?
    wrong = Payorder.verify_payment({ **expected, amount: "99" }, waited.status.raw)
    refute wrong.paid?
    assert_equal [%w[amount 99 100.00]], wrong.reasons.map(&:to_a)
  end

  def test_a_wait_that_runs_out_of_time
    waited = client.wait_for_payment("none", wait_ms: 100, interval_ms: 20)
    assert waited.timed_out?
    assert_nil waited.status
    assert_kind_of Payorder::RejectedError, waited.error
  end

  { "drop-before" => Payorder::ConnectionLostError,
    "drop-after-commit" => Payorder::ConnectionLostError,
    "drop-mid-answer" => Payorder::ConnectionLostError,
    "stall" => Payorder::ResponseTimeoutError,
    "html-502" => Payorder::ServiceFailedError,
    "malformed-json" => Payorder::BadResponseError,
    "no-url" => Payorder::BadResponseError }.each do |fault, kind|
    define_method("test_after_#{fault.tr("-", "_")}_the_order_may_exist") do
      order = new_order("Tea sandbox:#{fault}")
      limit = fault == "stall" ? 500 : 30_000
      error = assert_raises(kind) { client.create_order(order, timeout_ms: limit) }
      assert_kind_of Payorder::OutcomeUnknownError, error
      assert_equal Payorder::Action::ASK_STATUS, error.action
      assert_equal({ "searchType" => "1", "orderId" => order[:order_id] }, error.status_query)
      unless fault == "drop-before"
        assert_equal order[:order_id], client.get_status(error).order_id
      end
    end
  end

  def test_refusals
    error = assert_raises(Payorder::RejectedError) do
      client.create_order(new_order("sandbox:reject"))
    end
    assert_equal "400", error.response_code
    refute_empty error.response_message
    assert_equal [100, "PAYORDER_REJECTED", "create_order"],
                 [error.result, error.name, error.operation]
    error = assert_raises(Payorder::RateLimitedError) do
      client.create_order(new_order("sandbox:rate-limit"))
    end
    assert_equal 1000, error.retry_after_ms
    error = assert_raises(Payorder::UnauthorizedError) do
      client.create_order(new_order, access_token: "wrong")
    end
    assert_equal 401, error.http_status
  end

  def test_all_violations_are_listed
    order = new_order(amount: 1.5, pay_mode: "cash", customer_name: " ")
    error = assert_raises(Payorder::InvalidRequestError) { client.create_order(order) }
    assert_equal "not_sent", error.outcome
    assert_equal({ "amount" => "type", "payMode" => "allowed", "customerName" => "blank" },
                 error.violations.to_h { |one| [one.field, one.rule] })
  end

  def test_errors_before_the_first_byte
    nowhere = { **config, base_url: "http://127.0.0.1:1" }
    Payorder::Client.open(**nowhere) do |other|
      error = assert_raises(Payorder::ConnectError) { other.create_order(new_order) }
      assert_equal Payorder::Cause::CONNECTION_REFUSED, error.cause_name
    end
    assert_raises(Payorder::InvalidArgumentError) { client.create_order(new_order, timeout_ms: 0) }
    assert_raises(Payorder::InvalidArgumentError) { client.create_order(nil) }
    error = assert_raises(Payorder::InvalidConfigError) { Payorder::Client.new(base: "x") }
    assert_match(/base/, error.message)
  end

  def test_functions_without_a_network
    assert_raises(Payorder::UnusableTextError) { Payorder.parse_return_url("https://x.example/") }
    assert_raises(Payorder::UnusableTextError) { Payorder.parse_return_url("?txn=a\0b") }
    assert_raises(Payorder::UnusableTextError) { Payorder.verify_payment({ order_id: "O" }, "{}") }
    assert_raises(Payorder::UnusableTextError) do
      Payorder.verify_payment({ order_id: "O", amount: "1" }, { "data" => {} })
    end
    body = Payorder.build_create_order(new_order, extra_fields: { udf_1: "x" })
    assert_equal "x", JSON.parse(body)["udf_1"]
    assert_equal "2", JSON.parse(Payorder.build_get_status(transaction_id: "T"))["searchType"]
  end

  def test_a_status_shows_no_personal_data
    order = new_order
    client.create_order(order)
    status = client.get_status(order[:order_id])
    assert_equal "Asha Rao", status.customer_name
    refute_match(/Asha/, status.inspect)
  end
end

class TextTest < Minitest::Test
  include Support

  CREATED = '{"responseCode":"200","responseMessage":"ok","data":{"url":"https://x.example/1"}%s}'

  def test_text_arrives_unchanged_and_comes_back_unchanged
    texts = ["चाय और समोसा", "🍵 tea 👨‍👩‍👧", "\"q\" \\ 'q'", "blanks   ", "null"]
    texts += ["a\u2028\n\tb", "a\0b", "é".encode("ISO-8859-1")]
    bodies = Queue.new
    reply = ->(body) { bodies << JSON.parse(body) and format(CREATED, "") }
    with_service(reply) do |settings|
      Payorder::Client.open(**settings) do |other|
        texts.each do |text|
          other.create_order(new_order(text))
          assert_equal text.encode("UTF-8"), bodies.pop["productInfo"]
        end
      end
    end
    back = lambda do |body|
      JSON.generate(responseCode: "200", responseMessage: "ok",
                    data: { orderId: JSON.parse(body)["orderId"], merchantName: texts[1] })
    end
    with_service(back) do |settings|
      Payorder::Client.open(**settings) do |other|
        assert_equal texts[1], other.get_status("null").merchant_name
      end
    end
  end

  def test_text_that_the_library_cannot_take_is_refused
    ["\xff", "\xff".b].each do |text|
      order = new_order(text)
      error = assert_raises(Payorder::InvalidArgumentError) { client.create_order(order) }
      assert_equal Payorder::Cause::NOT_UTF8, error.cause_name
      assert_match(/nothing was sent/, error.message)
      refute(SEEN.any? { |line| line.include?(order[:order_id]) })
    end
    error = assert_raises(Payorder::InvalidRequestError) { client.create_order(new_order(nil)) }
    assert_equal [%w[productInfo type]], error.violations.map { |one| [one.field, one.rule] }
  end

  def test_nothing_of_a_response_is_lost
    more = ",\"later\":12345678901234567890.10,\"padding\":\"#{"प" * 340_000}\""
    with_service(->(_) { format(CREATED, more) }) do |settings|
      Payorder::Client.open(**settings) do |other|
        checkout = other.create_order(new_order)
        assert_includes checkout.raw, "12345678901234567890.10"
        assert_equal 340_000, JSON.parse(checkout.raw)["padding"].size
      end
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
end
