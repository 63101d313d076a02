# frozen_string_literal: true

require "io/wait"

module Payorder
  # A started call that has ended: the number that `start` gave, and its error or nil.
  Ended = Struct.new(:id, :result, :error) do
    # What the blocking method would have given, or raised.
    def value
      error ? raise(error) : result
    end
  end

  # The calls that a client started, and whose answers were not taken.
  class Started
    # What is known about a call until it has ended.
    Running = Struct.new(:name, :query, :reader)

    def initialize(handle)
      @handle = handle
      @pointer = handle.pointer
      @lock = Mutex.new
      @last = 0
      forget_in_a_child
    end

    # An exception from outside may come when the call was started: the library writes NULL then.
    def start(name, query, reader, *texts)
      out = Library.pointer
      out[0, 1] = "\1"
      id = call = nil
      begin
        Thread.handle_interrupt(Object => :never) do
          @lock.synchronize do
            forget_in_a_child
            refuse_with_a_log(name)
            @running[id = @last += 1] = call = Running.new(name, query, reader)
            result = Library.call(:start, @handle.pointer, name.to_s, *texts, nil, id, out)
            raise Error.of(result, Library.take(out)).tap { |e| e.asked = query } unless result.zero?
          end
        end
        returned = true
        id
      ensure
        interrupted(id, call, out) unless returned || call.nil?
      end
    end

    # A start sees either both or neither of the two: a started call must not get the log.
    def log=(log)
      @lock.synchronize do
        @handle.logger ||= log
        Library.call(:client_set_log, @handle.pointer, log && Call::LOG, nil)
        @handle.logger = log
      end
    end

    # Waits without the library, so that other threads and fibers continue, and Ctrl-C ends it. The
    # block runs when there is an answer. An exception from outside may come at every other place,
    # so the answer stays in @ended until the end.
    def take(wait)
      deadline = now + wait
      loop do
        Thread.handle_interrupt(Object => :never) do
          @lock.synchronize do
            forget_in_a_child
            take_now
            yield if @ended
          end
        end
        left = deadline - now
        if @ended || left <= 0 || over?
          ended, @ended = @ended, nil
          return ended
        end

        await([left, 0.1].min) # another thread may stop or close the client meanwhile
      end
    end

    # No further answer is waited for once there are no calls.
    attr_writer :stopped

    def empty?
      @process != $$ || @running.empty?
    end

    private

    def over?
      @stopped && empty?
    end

    # The calls go on in the parent, where another thread may have been in `take`.
    def forget_in_a_child
      return if @process == $$

      @running, @ended = {}, nil
      @taken, @result, @text, @id = Array.new(4) { Library.pointer }
      @process = $$
    end

    # Nobody has the number of the call. Further exceptions are as in Call#interrupted.
    def interrupted(id, call, out, more = 100)
      order = nil
      Thread.handle_interrupt(Object => :never) do
        started = out.ptr.null?
        @running.delete(id) unless started
        order = OrderInterrupted.started(id, call.query) if started && call.name == :create_order
        order&.set_backtrace(caller)
      end
      ended = true
    ensure
      begin
        interrupted(id, call, out, more - 1) unless ended || more == 0
      ensure
        raise order if order
      end
    end

    # It would run on a thread of the library, where no Ruby code may run.
    def refuse_with_a_log(name)
      return unless @handle.logger

      raise Error.unusable(Library::Unusable.new("a client with a log function starts no calls",
                                                 Cause::INVALID_VALUE), InvalidArgumentError, name)
    end

    # Ctrl-C, which nothing holds off, may come between any two lines. So the library's answer stays
    # in its place until the end, and the next time all is done again; an answer whose call is no
    # longer in @running is in @ended or was given.
    def take_now
      if @taken.ptr.null?
        return if @ended || over?

        failed = Library.call(:take_done, @pointer, 0, @taken, @result, @text, @id)
        raise Error.of(failed, Library.take(@text)) unless failed.zero?
        return if @taken.ptr.null?
      end
      id = @id.ptr.to_i
      if (call = @running[id])
        result = @result[0, 4].unpack1("l")
        @ended = Ended.new(id, *outcome(call, result, Library.text(@text.ptr)))
        @running.delete(id)
      end
      @taken[0, 4] = "\0\0\0\0"
      Library.call(:string_free, @text.ptr)
    end

    # The value or the error of a call. What fails once was a signal handler: the answer stays in its
    # place. An answer that cannot be read must not hold back the others.
    def outcome(call, result, text)
      read(call, result, text)
    rescue StandardError => e
      begin
        read(call, result, text)
      rescue StandardError
        return [nil, Call.lost(call.name, call.query, e, Library.member(text, "/data/url"))]
      end
      raise
    end

    def read(call, result, text)
      return [call.reader.call(text), nil] if text && result.zero?

      error = Call.failure(call.name, call.query, result, text, nil)
      error.asked = call.query if call.name == :get_status
      [nil, error]
    end

    def await(seconds)
      handle = Library.call(:done_handle, @pointer)
      # On Windows it is not a descriptor.
      return sleep([seconds, 0.02].min) if handle.negative? || Library.windows?

      IO.for_fd(handle, autoclose: false).wait_readable(seconds)
    rescue Errno::EBADF
      nil # another thread took the last answer of a closed client
    end

    def now
      Process.clock_gettime(Process::CLOCK_MONOTONIC)
    end
  end
end
