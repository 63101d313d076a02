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

  def test_messages_have_the_names_of_ruby_which_are_accepted
    error = assert_raises(Payorder::InvalidRequestError) { client.get_status({}) }
    assert_match(/order_id/, error.message)
    refute_match(/orderId/, error.message)
    order = new_order
    client.create_order(order)
    assert_equal order[:order_id], client.get_status({ "order_id" => order[:order_id] }).order_id
    error = assert_raises(Payorder::InvalidArgumentError) { client.get_status("1", timeout: "5") }
    assert_match(/timeout_ms/, error.message)
  end

  def test_times_are_in_seconds
    limited = assert_raises(Payorder::RateLimitedError) do
      client.create_order(new_order("sandbox:rate-limit"), timeout: 5.5)
    end
    assert_equal 1.0, limited.retry_after
    waited = client.wait_for_payment("none", wait: 0.0001, interval: 0.02)
    assert waited.timed_out?
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
    error = Payorder::Testing.error(Payorder::ResponseTimeoutError, status_query: { orderId: "1" })
    assert_equal [200, "unknown", "1"], [error.result, error.outcome, error.status_query["orderId"]]
    assert_kind_of Payorder::OutcomeUnknownError, error
  end

  def test_a_status_shows_no_personal_data
    order = new_order
    client.create_order(order)
    status = client.get_status(order[:order_id])
    assert_equal "Asha Rao", status.customer_name
    refute_match(/Asha/, [status.inspect, status.to_s, status.as_json, PP.pp(status, +"")].join)
    refute_match(/sandbox-access-token/, PP.pp(client, +""))
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
    assert_match(/nothing was sent/, error.message)
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
