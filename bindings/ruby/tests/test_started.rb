# frozen_string_literal: true

require_relative "support"
require "minitest/mock"
require "timeout"

# Calls that do not block.
class StartedTest < Minitest::Test
  include Support

  # The smallest scheduler that lets fibers wait for a descriptor.
  class Scheduler
    def initialize
      @waiting = {}
    end

    def fiber(&block)
      Fiber.new(blocking: false, &block).tap(&:resume)
    end

    def io_wait(io, events, _timeout)
      @waiting[Fiber.current] = io
      Fiber.yield
      events
    end

    def close
      until @waiting.empty?
        ready, = IO.select(@waiting.values, nil, nil, 60)
        @waiting.select { |_, io| ready.include?(io) }.each_key do |fiber|
          @waiting.delete(fiber)
          fiber.resume
        end
      end
    end

    def kernel_sleep(*) = raise("a take waits without sleeping")
    def block(*) = raise("a take waits without a lock")
    def unblock(*); end
  end

  def started(...)
    client.start(...)
    client.take(60).value
  end

  # Those of an order, of a query and of a wait are in the conformance suite.
  def test_other_calls_that_can_be_started_and_what_their_errors_ask_again
    assert_nil client.take
    order = new_order
    client.create_order(order)
    id = order[:order_id]
    sales = [{ order_id: "none", amount: "1.00" }]
    assert_equal "name", started(:check).steps[0].step
    assert_equal "unknown", started(:recover, sales).sales[0].verdict
    assert_raises(Payorder::InvalidArgumentError) { client.start(:journal_resolve) }
    error = assert_raises(Payorder::RejectedError) { started(:get_status, id, client_key: "no") }
    assert_equal id, started(:get_status, error).order_id
    error = assert_raises(Payorder::NotSentError) { client.start(:get_status, id, wrong: 1) }
    assert_equal id, client.get_status(error).order_id
  end

  def test_the_name_of_a_call_may_be_a_string_and_must_be_one_that_can_be_started
    assert_match(/checkout/, started("create_order", new_order).url)
    assert_equal "name", started("check").steps[0].step
    order = new_order
    ["cancel", :get_statuses, nil, 1].each do |name|
      error = assert_raises(Payorder::InvalidArgumentError) { client.start(name, order) }
      assert_match(/is no call that can be started; nothing was sent/, error.message)
    end
    refute(seen?(order))
  end

  def test_a_call_that_takes_only_options_refuses_a_request
    error = assert_raises(Payorder::InvalidArgumentError) { client.start(:check, "1") }
    assert_equal "check takes only options, as keywords; nothing was sent", error.message
    Dir.mktmpdir do |folder|
      till = Payorder::Client.from_env(journal: "#{folder}/orders.db")
      wrong = { wrong: 1 }
      assert_raises(Payorder::InvalidArgumentError) { till.start(:journal_resolve, wrong) }
      till.close
    end
  end

  def test_an_answer_that_cannot_be_read_does_not_hold_back_the_others
    other = assert_raises(Payorder::NotSentError) { client.create_order({}) } # of a signal handler
    [NoMethodError.new("planted"), other].each do |planted|
      first = client.start(:create_order, new_order)
      error = Payorder::Checkout.stub(:new, ->(_) { raise planted }) do
        client.take(60).tap { |ended| assert_equal first, ended.id }.error
      end
      assert_kind_of Payorder::InternalInFlightError, error
      assert_includes error.message, planted.message
      assert error.status_query[:order_id]
      assert_match(/checkout/, error.checkout_url)
    end
    assert started(:create_order, new_order).url
  end

  def test_an_error_of_a_signal_handler_does_not_replace_an_answer
    planted = assert_raises(Payorder::NotSentError) { client.create_order({}) }
    id = client.start(:create_order, new_order)
    read = Payorder::Checkout.method(:new)
    handled = false
    handler = lambda do |raw|
      handled ? read.call(raw) : (handled = true) && raise(planted)
    end
    Payorder::Checkout.stub(:new, handler) do
      assert_same planted, assert_raises(Payorder::NotSentError) { client.take(60) }
    end
    ended = client.take(60)
    assert_equal id, ended.id
    assert_match(/checkout/, ended.value.url)
  end

  def test_a_client_with_a_log_starts_no_call
    client.log = ->(event) { flunk event }
    error = assert_raises(Payorder::NotSentError) { client.start(:get_status, "none") }
    assert_match(/log function/, error.message)
  end

  def test_a_timeout_does_not_lose_an_answer
    cancellation = Payorder::Cancellation.new
    client.start(:create_order, new_order("sandbox:stall"), cancellation: cancellation)
    assert_raises(Timeout::Error) { Timeout.timeout(0.2) { client.take(60) } }
    cancellation.cancel
    assert_kind_of Payorder::CancelledInFlightError, client.take(60).error
    cancellation.close
  end

  # As if it came while the answer's text is freed: from another thread, or from Ctrl-C.
  def test_an_exception_from_outside_does_not_lose_an_answer
    taker = Thread.current
    [-> { Thread.new { taker.raise(Timeout::Error) }.join }, -> { raise Interrupt }].each do |stop|
      id = client.start(:create_order, new_order)
      interrupted(stop)
      assert_equal [id, nil], client.take(60).then { |ended| [ended.id, ended.error] }
      assert_nil client.take
    end
  end

  # From another thread, or from Ctrl-C: before the call was started, and after it.
  def test_an_exception_from_outside_does_not_lose_the_number_of_an_order
    starter = Thread.current
    [-> { Thread.new { starter.raise(Timeout::Error) }.join }, -> { raise Interrupt }].each do |stop|
      error = assert_raises(Payorder::OrderInterrupted) { start_interrupted(stop, :create_order) }
      assert_kind_of Exception, error.cause
      assert error.status_query[:order_id]
      assert_equal [error.id, nil], client.take(60).then { |ended| [ended.id, ended.error] }
      assert_raises(Timeout::Error, Interrupt) { start_interrupted(stop, :check, nil) }
      assert_equal error.id + 1, client.take(60).id
    end
    killed = Thread.new do
      start_interrupted(-> { Thread.current.kill }, :create_order)
    rescue Payorder::OrderInterrupted => e
      e.id
    end
    assert_equal killed.value, client.take(60).id
    %i[pointer call].each do |function|
      Payorder::Library.stub(function, ->(*) { raise Interrupt }) do
        assert_raises(Interrupt) { client.start(:create_order, new_order) }
      end
    end
    client.stop # take does not wait for a call that was not started
    assert_nil client.take(60)
  end

  def start_interrupted(stop, name, request = new_order)
    call = Payorder::Library.method(:call)
    hurt = lambda do |function, *rest|
      call.call(function, *rest).tap { stop.call if function == :start }
    end
    Payorder::Library.stub(:call, hurt) { client.start(name, request) }
  end

  # As of a signal, before each of the lines that make the error.
  def test_a_second_exception_does_not_lose_the_number_of_an_order
    (1..5).each do |place|
      lines = 0
      signal = TracePoint.new(:line) { raise Timeout::Error if (lines += 1) == place }
      error = signal.enable(target: Payorder::Started.instance_method(:interrupted)) do
        assert_raises(Payorder::OrderInterrupted, "line #{place}") do
          start_interrupted(-> { raise Timeout::Error }, :create_order)
        end
      end
      assert_equal error.id, client.take(60).id
    end
  end

  # It comes when the answer has been read, and has not been given.
  def test_an_exception_at_the_end_of_take_does_not_lose_an_answer
    id = client.start(:create_order, new_order)
    assert IO.for_fd(client.done_handle, autoclose: false).wait_readable(60)
    clock = Process.method(:clock_gettime)
    asked = 0
    hurt = ->(*args) { (asked += 1) == 2 ? raise(Interrupt) : clock.call(*args) }
    Process.stub(:clock_gettime, hurt) { assert_raises(Interrupt) { client.take(60) } }
    assert_equal id, client.take(60).id
  end

  # As of a signal, before each of the lines that take one.
  def test_an_exception_anywhere_in_take_gives_each_answer_once
    (1..12).each do |place|
      id = client.start(:create_order, new_order)
      assert IO.for_fd(client.done_handle, autoclose: false).wait_readable(60)
      lines = 0
      signal = TracePoint.new(:line) { raise Interrupt if (lines += 1) == place }
      first = begin
        signal.enable(target: Payorder::Started.instance_method(:take_now)) { client.take }
      rescue Interrupt
        nil
      end
      taken = [first, client.take, client.take].compact
      assert_equal [[id, nil]], taken.map { |ended| [ended.id, ended.error] }, "line #{place}"
    end
  end

  def interrupted(stop)
    call = Payorder::Library.method(:call)
    hurt = lambda do |name, *rest|
      call.call(name, *rest)
    ensure
      stop.call if name == :string_free
    end
    Payorder::Library.stub(:call, hurt) do
      assert_raises(Timeout::Error, Interrupt) { client.take(60) }
    end
  end

  def test_a_log_waits_for_the_end_of_a_start
    call = Payorder::Library.method(:call)
    setter = nil
    during = lambda do |name, *rest|
      if name == :start
        setter = Thread.new { client.log = ->(event) { flunk event } }
        assert_nil setter.join(0.1)
      end
      call.call(name, *rest)
    end
    Payorder::Library.stub(:call, during) { client.start(:get_status, "none") }
    setter.join
    assert_kind_of Payorder::Error, client.take(60).error
  end

  def test_takers_end_when_another_thread_stops_or_closes_the_client
    %i[stop close].each do |ending|
      till = Payorder::Client.from_env
      takers = Array.new(2) { Thread.new { till.take(60) } }
      until_true { takers.all?(&:stop?) }
      till.public_send(ending)
      takers.each { |taker| assert_nil taker.join(10).value }
      till.close
    end
  end

  def test_a_take_lets_other_fibers_continue
    skip "this Ruby has no fiber scheduler" unless Fiber.respond_to?(:set_scheduler)
    order = new_order("sandbox:stall")
    ends = Thread.new do
      Fiber.set_scheduler(Scheduler.new)
      [[order, 1], [new_order, 30]].each_with_object([]) do |(one, timeout), names|
        Fiber.schedule do
          till = Payorder::Client.from_env
          till.start(:create_order, one, timeout: timeout)
          names << till.take(60).error.class
          till.close
        end
      end
    end.value
    assert_equal [NilClass, Payorder::ResponseTimeoutError], ends
  end

  # The answer of the parent's call is on its way, or has been read.
  def test_a_process_that_is_made_while_a_thread_takes_gets_no_answer_of_the_parent
    call = Payorder::Library.method(:call)
    %i[take_done string_free].each do |function|
      id = client.start(:create_order, new_order)
      assert IO.for_fd(client.done_handle, autoclose: false).wait_readable(60)
      inside, forked = Queue.new, Queue.new
      main = Thread.current
      held = lambda do |name, *rest|
        result = call.call(name, *rest)
        next result if name != function || Thread.current == main

        inside << 1
        forked.pop
        result
      end
      taken = Payorder::Library.stub(:call, held) do
        taker = Thread.new { client.take(60) }
        inside.pop
        said = in_a_child do
          mine = client.start(:create_order, new_order)
          client.take(60).then { |ended| [ended.id == mine, ended.error] }
        end
        forked << 1
        assert_equal "[true, nil]", said
        taker.value
      end
      assert_equal [id, nil], [taken.id, taken.error]
    end
  end

  def in_a_child
    reader, writer = IO.pipe
    child = fork do
      writer.write(yield.inspect)
    ensure
      exit!
    end
    writer.close
    reader.read
  ensure
    Process.wait(child)
  end

  def test_a_forked_child_has_no_answers
    client.start(:create_order, new_order)
    said = in_a_child do
      # Nobody waits for one: closing frees the client.
      clients = Payorder.live_counters[:clients]
      client.close
      [clients - Payorder.live_counters[:clients], client.take(60)]
    end
    assert_equal "[1, nil]", said
    assert_nil client.take(60).error
  end
end
