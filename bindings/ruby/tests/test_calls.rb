# frozen_string_literal: true

require_relative "support"
require "minitest/mock"
require "timeout"

class CancellingTest < Minitest::Test
  include Support

  def stalled
    new_order("Tea sandbox:stall")
  end

  # An exception from outside a call, such as Interrupt.
  Outside = Class.new(Exception)

  # Runs the block in a thread, and gives the error that it raises there.
  def failing
    Thread.new do
      yield
      nil
    rescue Exception => e
      e
    end
  end

  def test_timeout_raise_and_kill_never_hide_that_the_order_may_exist
    # Of enumerators that no collection has found yet.
    calls = Payorder.live_counters[:calls]
    order = stalled
    error = assert_raises(Payorder::OrderInterrupted) do
      Timeout.timeout(0.5) { client.create_order(order) }
    end
    assert_equal order[:order_id], client.get_status(error).order_id

    order = stalled
    thread = failing { client.create_order(order) }
    arrived(order)
    thread.raise(Outside)
    assert_kind_of Payorder::OrderInterrupted, thread.value
    assert_kind_of Outside, thread.value.cause

    order = stalled
    seen = nil
    thread = Thread.new do
      client.create_order(order)
    rescue Payorder::OrderInterrupted => e
      seen = e
    end
    arrived(order)
    thread.kill
    thread.join
    assert_equal order[:order_id], seen.status_query[:order_id]
    assert_operator Payorder.live_counters[:calls], :<=, calls
  end

  def test_a_signal_in_the_main_thread
    # A shell starts background jobs with this signal ignored.
    handler = trap(:INT, "DEFAULT")
    order = stalled
    Thread.new do
      arrived(order)
      Process.kill(:INT, $$)
    end
    # minitest ends all tests after an Interrupt.
    call = lambda do
      client.create_order(order)
    rescue Interrupt => e
      flunk "#{e.inspect} hides that the order may exist"
    end
    error = assert_raises(Payorder::OrderInterrupted, &call)
    assert_kind_of Interrupt, error.cause
    assert_equal order[:order_id], client.get_status(error).order_id
  ensure
    trap(:INT, handler)
  end

  def test_an_order_that_was_created_before_the_interrupt_keeps_its_url
    order = new_order
    client.log = ->(event) { raise Outside if event[:event] == "call_finished" }
    error = assert_raises(Payorder::OrderInterrupted) { client.create_order(order) }
    client.log = nil
    assert_match(%r{/checkout/\d+\z}, error.checkout.url)
    assert_includes error.message, error.checkout.url
    assert_equal error.checkout.url, error.checkout_url
    assert_equal order[:order_id], client.get_status(error).order_id
    lines = error.backtrace.take_while { |line| !line.include?(__FILE__) }
    assert_operator lines.size, :<, 10
  end

  def test_a_log_function_that_fails_and_cannot_be_reported_hides_no_checkout
    stderr, $stderr = $stderr, StringIO.new.tap(&:close_write)
    client.log = ->(_) { raise "planted" }
    assert_match(/\Ahttp/, client.create_order(new_order).url)
  ensure
    $stderr = stderr
    client.log = nil
  end

  def test_a_signal_handler_is_told_that_it_cannot_make_a_call_with_a_log_function
    client.log = ->(_) {}
    error = nil
    handler = trap(:USR1) do
      client.get_status("X")
    rescue StandardError => e
      error = e
    end
    Process.kill(:USR1, $$)
    until_true { error }
    assert_kind_of Payorder::NotSentError, error
    assert_includes error.message, "signal handler"
  ensure
    trap(:USR1, handler || "DEFAULT")
  end

  def test_a_signal_handler_can_cancel_and_use_a_cancellation
    cancellation = Payorder::Cancellation.new
    till = client
    order = stalled
    thread = failing { till.create_order(order, cancellation: cancellation) }
    arrived(order)
    errors = []
    handler = trap(:USR1) do
      cancellation.cancel
      till.get_status("X", cancellation: cancellation)
    rescue StandardError => e
      errors << e
    end
    Process.kill(:USR1, $$)
    until_true { errors[0] }
    assert_kind_of Payorder::CancelledError, errors[0]
    assert_kind_of Payorder::CancelledInFlightError, thread.value
  ensure
    trap(:USR1, handler || "DEFAULT")
    cancellation.close
  end

  def test_a_cancellation_may_have_a_string_as_its_key
    options = { "cancellation" => Payorder::Cancellation.new.tap(&:cancel) }
    order = new_order
    assert_raises(Payorder::CancelledError) { client.create_order(order, **options) }
    client.start(:create_order, order, **options)
    assert_kind_of Payorder::CancelledError, client.take(60).error
    refute(seen?(order))
  end

  # The token of a call is freed when the response has arrived: there, an exception comes in.
  module Freeing
    class << self
      attr_accessor :interrupt
    end

    def free
      Freeing.interrupt&.call
      super
    end
  end
  Payorder::Token.prepend(Freeing)

  def interrupted_at_its_end_by(*exceptions)
    caller = Thread.current
    Freeing.interrupt = -> { Thread.new { exceptions.each { |one| caller.raise(one) } }.join }
    error = assert_raises(Payorder::OrderInterrupted) { client.create_order(new_order) }
    assert_match(%r{/checkout/\d+\z}, error.checkout.url)
    error
  ensure
    Freeing.interrupt = nil
  end

  def test_exceptions_at_the_end_of_a_call_do_not_lose_the_url
    interrupted_at_its_end_by(Outside, Outside)
  end

  def test_the_error_of_another_call_does_not_become_that_of_the_order
    other = Payorder::ConnectError.new("planned")
    assert_same other, interrupted_at_its_end_by(other).cause
  end

  # As if they were those of signals, which Ruby handles when a method of C returns: one after the
  # other, from the first such place, the second and so on.
  def test_further_exceptions_while_an_interrupted_call_ends_do_not_lose_the_url
    caller = Thread.current
    GC.disable # no finalizer may get one
    20.times do |first|
      places = 0
      signals = TracePoint.new(:c_return) do |at|
        next if Thread.current != caller || at.method_id.match?(/\A\W/) # not at an operator

        places += 1
        raise Outside if (first + 1..first + 6).cover?(places)
      end
      client.log = lambda do |event|
        next unless event[:event] == "call_finished"

        signals.enable
        raise Outside
      end
      error = assert_raises(Payorder::OrderInterrupted) do
        client.create_order(new_order)
      ensure
        signals.disable
      end
      assert_operator places, :>=, first + 6
      assert_match(%r{/checkout/\d+\z}, error.checkout.url)
    end
  ensure
    GC.enable
    client.log = nil
  end

  # As if it were that of a signal.
  def test_a_further_exception_after_an_interrupted_call_has_no_place
    later = TracePoint.new(:line) { raise Outside }
    client.log = lambda do |event|
      next unless event[:event] == "call_finished"

      later.enable(target: Payorder::Client.instance_method(:run))
      raise Outside
    end
    error = assert_raises(Payorder::OrderInterrupted) { client.create_order(new_order) }
    assert error.checkout.url
  ensure
    later.disable
    client.log = nil
  end

  def test_an_interrupt_in_a_signal_handler_does_not_hide_that_the_order_may_exist
    till = client
    order = stalled
    error = nil
    handler = trap(:USR1) do
      till.create_order(order)
    rescue Exception => e
      error = e
    end
    main = Thread.current
    interrupter = Thread.new do
      arrived(order)
      main.raise(Outside)
    end
    Process.kill(:USR1, $$)
    until_true { error }
    interrupter.join
    assert_kind_of Payorder::OrderInterrupted, error
  ensure
    trap(:USR1, handler || "DEFAULT")
  end

  # Its end always fails, as without stack.
  class Broken < Payorder::Cancellation
    def link(_) = raise(Outside)
    def unlink(_) = raise(Outside)
  end

  def test_a_call_whose_end_always_fails_ends
    Timeout.timeout(60) do
      assert_raises(Outside) { client.get_status("1", cancellation: Broken.new) }
    end
  end

  def test_an_interrupt_before_the_first_byte_is_raised_itself
    client.log = ->(event) { raise Outside if event[:event] == "attempt_started" }
    order = new_order
    assert_raises(Outside) { client.create_order(order) }
    client.log = nil
    refute(seen?(order))
  end

  # Ruby kills the other threads when the main one ends.
  def test_a_program_ends_while_a_thread_is_in_a_call
    program = <<~RUBY
      client = Payorder::Client.from_env
      order = eval(ARGV[0])
      Thread.new { client.create_order(order) }
      sleep 0.01 until File.read(ENV["SANDBOX_OUTPUT"]).include?(order[:order_id])
    RUBY
    assert_includes ended(program, stalled.inspect), "OrderInterrupted"
  end

  def test_a_forked_child_can_use_the_client
    client.create_order(new_order)
    reader, writer = IO.pipe
    child = fork do
      writer.write(client.create_order(new_order(order_id: "FORK-1", merchant_txn_id: "F-1")).url)
      writer.close
      exit!(0)
    end
    writer.close
    assert_match(%r{/checkout/\d+\z}, reader.read)
    Process.wait(child)
  end
end

class StatusesTest < Minitest::Test
  include Support

  Row = Struct.new(:status_query)

  def test_without_a_block_the_results_are_enumerated
    order = new_order
    client.create_order(order)
    rows = [Row.new({ order_id: order[:order_id] }), "none"]
    found, missing = client.get_statuses(rows).sort_by(&:index)
    assert_same rows[0], found.query
    assert_equal order[:order_id], found.status.order_id
    assert_kind_of Payorder::RejectedError, missing.error
  end

  def test_a_process_that_is_made_in_the_block_does_not_wait_for_the_call
    assert_equal <<~TEXT, ended(<<~RUBY)
      Payorder::InternalInFlightError
      left
      [0, 1, 0, 1]
    TEXT
      $stdout.sync = true
      client = Payorder::Client.from_env
      asked = []
      main = $$
      [-> {}, -> { throw :left }].each do |ending|
        catch(:left) do
          client.get_statuses(%w[A B], concurrency: 1) do |result|
            asked << result.index
            ending.call unless result.index.positive? || fork && Process.wait
          end
        rescue Payorder::Error => e
          puts e.class
          exit!
        end
        puts("left") || exit! unless $$ == main
      end
      puts asked.inspect
    RUBY
  end

  def test_a_program_ends_although_nobody_resumes_the_fiber_of_a_call
    assert_equal "end\n", ended(<<~RUBY)
      client = Payorder::Client.from_env
      results = client.get_statuses(%w[A B C])
      results.next
      Fiber.new { client.get_statuses(%w[A B C]) { Fiber.yield } }.resume
      puts "end"
    RUBY
  end

  def test_a_call_ends_when_nobody_has_its_enumerator_any_more
    20.times { client.get_statuses(%w[A B C]).next }
    until_true do
      GC.start
      Payorder.live_counters[:calls] < 10 # a few may still be found on the stack
    end
  end

  def test_callbacks_work_after_ruby_moved_its_objects
    skip "this Ruby does not move objects" unless GC.respond_to?(:verify_compaction_references)
    said = ended(<<~RUBY)
      size = GC.method(:verify_compaction_references).parameters.dig(-1, 1)
      GC.verify_compaction_references(toward: :empty, size => true)
      mover = Thread.new { loop { GC.compact } }
      client = Payorder::Client.from_env
      events = 0
      client.log = ->(event) { events += 1 }
      puts client.get_statuses(%w[A B C]).map(&:index).sort.inspect, events.positive?
    RUBY
    assert_equal "[0, 1, 2]\ntrue\n", said
  end
end
