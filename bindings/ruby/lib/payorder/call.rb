# frozen_string_literal: true

require "fiber"
require "weakref"

module Payorder
  # A cancellation token of the library.
  class Token
    attr_reader :text

    def initialize
      out = Library.pointer
      unless Library.call(:cancellation_new, out).zero?
        raise InternalError, Error.raw(Result::INTERNAL, Cause::NO_THREAD, Action::RETRY_LATER,
                                       "no cancellation token; nothing was sent")
      end
      @text = Library.text(out.ptr)
      ObjectSpace.define_finalizer(self, self.class.releaser(@text))
    end

    def self.releaser(text)
      proc { Library.call(:cancellation_free, text) }
    end

    def cancel
      @cancelled = true
      Library.call(:cancellation_cancel, @text)
    end

    # As of a client.
    def dup(**)
      self
    end
    alias clone dup

    def free
      @freed = true
      ObjectSpace.undefine_finalizer(self)
      Library.call(:cancellation_free, @text)
    end
  end

  # Cancels the calls that have it, from another thread. It stays cancelled.
  class Cancellation < Token
    def initialize
      super
      @linked = {} # without a lock, which a signal handler may not use
    end

    # The calls raise CancelledError, or CancelledInFlightError if something was sent.
    def cancel
      result = super
      unless result.zero?
        raise Error.of(result, Error.raw(result, Cause::CANCELLATION_FREED, Action::FIX_REQUEST,
                                         "the cancellation is closed"))
      end
      @linked.keys.each(&:cancel)
    end

    # Calls in flight continue, and cannot be cancelled with it any more.
    def close
      @linked.clear
      free
    end

    # Cancels the token of a call together with this cancellation. Gives the token for the call:
    # that of a closed cancellation, for which the library has an error.
    def link(token)
      return self if @freed

      @linked[token] = true
      token.cancel if @cancelled
      token
    end

    def unlink(token)
      @linked.delete(token)
    end
  end

  # One blocking call. It runs in a thread of its own, because an exception from outside (Ctrl-C,
  # Timeout, Thread#raise) must not end the thread in which the library returns its result. Blocks
  # of the program run in the thread that makes the call.
  class Call
    # The library's callbacks. They live as long as the process, and run on a call's thread. Nothing
    # may be raised through the library.
    LOG_TYPES = [Library::P, Library::P].freeze
    LOG = Fiddle::Closure::BlockCaller.new(Fiddle::TYPE_VOID, LOG_TYPES) do |event, _|
      Call.current&.pass(:log, Library.text(event))
    rescue Exception # the call must end with its own result
      nil
    end
    ITEM_TYPES = [Library::SIZE, Library::INT, Library::P, Library::P].freeze
    ITEM = Fiddle::Closure::BlockCaller.new(Library::INT, ITEM_TYPES) do |index, result, json, _|
      Call.current.pass(:item, index, result, Library.text(json)) ? 1 : 0
    rescue Exception # ends the queries
      0
    end
    # A closure knows its own address, so Ruby's compaction must not move it.
    PINNED = [LOG, ITEM].map { |closure| Library.pin(closure) }.freeze

    FORKED = ThreadError.new("the program made this process while the call ran")
    private_constant :FORKED

    # The call that runs on this thread.
    def self.current
      Thread.current.thread_variable_get(:payorder_call)
    end

    # The library's text of a call that has ended, or its error. `query` asks about its order.
    def self.checked(name, query, result, text, problem)
      return text if text && result.zero?

      raise failure(name, query, result, text, problem)
    end

    def self.failure(name, query, result, text, problem)
      text ? Error.of(result, text) : lost(name, query, problem)
    end

    # The error of a call whose result cannot be read. Of its text, `url` is left.
    def self.lost(name, query, problem, url = nil)
      message = "the result of the call was lost: #{problem&.message}"
      InternalInFlightError.new(unknown(name, query, Result::INTERNAL_IN_FLIGHT,
                                        Cause::NO_RESOURCES, message, url))
    end

    def self.unknown(name, query, result, cause, message, url = nil)
      more = { operation: name, statusQuery: query, checkoutUrl: url }.compact
      Error.raw(result, cause, Action::ASK_STATUS, message, more)
    end

    # `query` asks about the order of this call.
    def initialize(handle, name, options, cancellation: nil, query: nil)
      @handle = handle
      @name = name
      @options = options
      @cancellation = cancellation
      @query = query
      @inbox = Queue.new
      @lock = Mutex.new
      @replied = ConditionVariable.new
    end

    # Makes the call. Gives what the block makes of the library's text, or raises its error. `each`
    # receives the results of payorder_get_statuses; if it raises or leaves, the call is cancelled.
    # When the call has ended, nothing is left to do here: an exception from outside would be lost
    # in it, and the order's URL with it.
    def run(*args, each: nil)
      refuse_in_a_signal_handler if each || @handle.logger
      @token = Token.new
      @program = [Thread.current, WeakRef.new(Fiber.current)]
      @process = $$
      start([@handle.pointer, *args, options_json, *(each && [ITEM, nil])])
      pump(each)
      value = yield checked(*@done)
      returned = true
      value
    rescue Exception => e
      returned = @own && e.equal?(@own) # the program may raise the error of another call
      raise
    ensure
      # An exception, `throw` (which Timeout uses) or Thread#kill from outside ended the call.
      interrupted(e) unless returned
    end

    # Passes something from the call's thread to the thread of the program, and waits until that has
    # handled it. Gives false if the program needs no more results.
    def pass(kind, *rest)
      @lock.synchronize do
        return false if @abandoned

        @reply = nil
        @inbox << [kind, *rest]
        @replied.wait(@lock, 0.1) while @reply.nil? && !@abandoned && program_left?
        @token.cancel if @reply.nil?
        @reply || false
      end
    end

    private

    def options_json
      token = @cancellation ? @cancellation.link(@token) : @token
      Library.json(Names.options(@options).merge("cancellation" => token.text), "options")
    rescue Library::Unusable => e
      raise Error.unusable(e, InvalidArgumentError, @name)
    end

    # Ruby allows no Mutex in a signal handler.
    def refuse_in_a_signal_handler
      @lock.synchronize {}
    rescue ThreadError
      message = "a signal handler cannot make a call with a block or a log function: set a flag, " \
                "and make the call elsewhere; nothing was sent"
      raise InternalError, Error.raw(Result::INTERNAL, Cause::NO_THREAD, Action::FIX_REQUEST, message)
    end

    # Whether the program can still handle something. It cannot at its end, when Ruby kills all
    # threads, or if the call is in a fiber (that of an Enumerator, say) that nobody can resume.
    def program_left?
      thread, fiber = @program
      thread.alive? && fiber.weakref_alive?
    end

    def reply(continue)
      @lock.synchronize do
        @reply = continue ? true : false
        @replied.signal
      end
    end

    # The thread knows nothing of the program's block, which may be all that keeps a fiber.
    def start(args)
      Thread.new do
        Thread.current.report_on_exception = false
        Thread.current.thread_variable_set(:payorder_call, self)
        # At its end, Ruby kills all threads. This one ends with its result, which the thread that
        # makes the call waits for: that one is killed too, and cancels the call.
        Thread.handle_interrupt(Object => :never) do
          @begun = true
          @done = blocking(args)
        ensure
          finish
          @inbox << [:done]
        end
      end
    rescue ThreadError => e
      raise InternalError, Error.raw(Result::INTERNAL, Cause::NO_THREAD, Action::RETRY_LATER,
                                     "no thread for the call: #{e.message}; nothing was sent")
    end

    # The library's result, its text, and why that cannot be read.
    def blocking(args)
      out = Library.pointer
      result = Library.call(@name, *args, out)
      [result, Library.take(out), nil]
    rescue Exception => e # the result must not be lost
      [result, nil, e]
    end

    # Handles what the call's thread passes, until the call has ended. A process that the program
    # made in its block does not have that thread.
    def pump(each)
      loop do
        return @done = [Result::INTERNAL_IN_FLIGHT, nil, FORKED] if forked?

        kind, *rest = @inbox.pop
        return if kind == :done

        begin
          continue = handle(kind, rest, each)
        ensure
          @token.cancel if continue.nil? # the program leaves, before the library goes on
          reply(continue)
        end
      end
    end

    # Whether the program needs further results.
    def handle(kind, rest, each)
      return each.call(*rest) != :stop if kind == :item

      @handle.log(*rest)
      true
    end

    # Ends the call. What happened to an order replaces the exception, and every further one that
    # comes meanwhile: nested Timeouts often end together, and nothing holds back those of signals
    # and of Fiber#raise. If one comes here, all is done again. Without stack, each time fails.
    def interrupted(exception, more = 100)
      Thread.handle_interrupt(Object => :never) do
        abandon
        @order ||= order_left if @done && @name == :create_order
        @order&.set_backtrace(caller) # a raise that makes it takes longer, and a signal may come in
      end
      ended = true
    ensure
      begin
        interrupted(exception, more - 1) unless ended || more == 0
      ensure
        raise @order, cause: exception if @order
      end
    end

    # Waits for the result. A call that has not begun sends nothing, because its token is cancelled.
    # This may be in a signal handler, where Ruby allows no Mutex: `pass` looks at @abandoned itself.
    def abandon
      @abandoned = true
      @token&.cancel
      return finish unless @begun

      @inbox.pop until @done || forked?
    end

    def forked?
      @process != $$
    end

    def finish
      @cancellation&.unlink(@token)
      @token&.free
    end

    # The order that may exist, or nil if there is none.
    def order_left
      checkout = Checkout.new(checked(*@done))
      message = "interrupted after the order was created; send the customer to #{checkout.url}"
      raw = Call.unknown(@name, @query, Result::CANCELLED_IN_FLIGHT, Cause::CANCELLED, message,
                         checkout.url)
      OrderInterrupted.new(raw, checkout)
    rescue CancelledInFlightError => e
      OrderInterrupted.new(e.raw)
    rescue NotSentError, RejectedError
      nil
    rescue Error => e
      e
    end

    def checked(result, text, problem)
      Call.checked(@name, @query, result, text, problem)
    rescue Error => e
      @own = e
      raise
    end
  end
end
