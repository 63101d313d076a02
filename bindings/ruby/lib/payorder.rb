# frozen_string_literal: true

# Creates payment orders and reads their status. When a call fails, the error says what happened to
# the order: NotSentError, RejectedError or OutcomeUnknownError.

require "payorder/version"
require "payorder/constants"
require "payorder/library"
require "payorder/results"
require "payorder/errors"
require "payorder/call"
require "payorder/started"

module Payorder
  # The library's client, without the object that the program holds.
  class Handle
    # 0 once the client was closed
    attr_accessor :pointer, :logger

    # `create` is the library's function: :client_new or :client_from_env. It writes the client.
    def initialize(create, config, client)
      result, error = Library.call_for_text(create, config, client)
      raise Error.of(result, error) unless result.zero?

      @pointer = client.ptr.to_i
    end

    def self.releaser(client)
      proc { Library.call(:client_free, client.ptr) unless client.ptr.null? }
    end

    # Gives an event to the program's log function. An order must not fail because a program cannot
    # write its log.
    def log(event)
      @logger&.call(JSON.parse(event, symbolize_names: true))
    rescue StandardError => e
      report(e)
    end

    private

    # The error output may be closed, and what was raised may have no message.
    def report(error)
      warn("payorder: the log function failed: #{error.message}")
    rescue StandardError
      nil
    end
  end

  # A client of one service. One is enough for a process, and all threads may use it.
  class Client
    # `config` has the keys of the configuration (docs/configuration.md), such as `base_url:` and
    # `access_token:`, and `log:`, which receives each log event as a Hash.
    def initialize(log: nil, create: :client_new, **config)
      client = Library.pointer
      # Before there is a client: an exception from outside may come at any later place.
      ObjectSpace.define_finalizer(self, Handle.releaser(client))
      @handle = Handle.new(create, config_json(config), client)
      @pointer = @handle.pointer
      @started = Started.new(@handle)
      self.log = log if log
    end

    # Creates a client, and closes it after the block.
    def self.open(**config)
      client = new(**config)
      yield client
    ensure
      client&.close
    end

    # Creates a client with the settings of the environment, such as PAYORDER_BASE_URL. What is
    # given here wins. If there is a block, the client is closed after it.
    def self.from_env(**config, &block)
      config[:create] = :client_from_env
      block ? open(**config, &block) : new(**config)
    end

    # Replaces credentials: attempts that begin later use the new ones.
    def set_credentials(**credentials)
      json = config_json(credentials)
      result, error = Library.call_for_text(:client_set_credentials, @handle.pointer, json)
      raise Error.of(result, error) unless result.zero?
    end

    # Sends log events to an object with `call`, or to none. It runs on the thread of the call.
    def log=(log)
      @started.log = log
    end

    # Creates an order: its fields with Ruby's or the service's names. Options: `resend`,
    # `extra_fields`, `timeout` (seconds), `cancellation`, and the credentials.
    # @param order [Hash] or the fields among the options
    # @raise [NotSentError] nothing was sent: fix the problem and call again
    # @raise [RejectedError] the service refused, and the message says why
    # @raise [OutcomeUnknownError] the order may exist: give the error to `get_status`
    def create_order(order = nil, **options)
      run(:create_order, order, options)
    end

    # Asks for the status of an order: an order id, a Hash with `order_id` or `transaction_id`, or
    # an object with a `status_query`.
    # @param query or `order_id` or `transaction_id` among the options
    def get_status(query = nil, **options)
      run(:get_status, query, options)
    end

    # Asks until the payment is final or the time is up. Options: `wait`, `interval` and
    # `max_interval` (seconds), `final`, and those of `get_status`.
    def wait_for_payment(query = nil, **options)
      run(:wait_for_payment, query, options)
    end

    # Asks for many statuses, and yields a StatusResult for each. Gives the Summary. If the block
    # returns `:stop`, no more queries are sent. If it is left by `break` or an exception, the other
    # queries are cancelled. Options: `concurrency`, `rate_per_second`, and those of `get_status`.
    def get_statuses(queries, **options)
      unless block_given? # Not `enum_for`, which shows the credentials.
        return Enumerator.new { |all| get_statuses(queries, **options) { |one| all.yield(one) } }
      end

      if queries.nil? || !queries.respond_to?(:to_a)
        raise unusable("the queries must be an Array or the like", :get_statuses)
      end

      queries = queries.to_a.dup
      json = json_of(:get_statuses, "the queries") { queries.map { |query| query_of(query) } }
      asked = JSON.parse(json)
      each = lambda do |index, result, raw|
        status = Status.new(raw) if result.zero?
        error = Error.of(result, raw) unless status
        error&.asked = asked[index]
        yield StatusResult.new(index, queries[index], status, error)
      end
      call = make(:get_statuses, options)
      call.run(json, each: each) { |raw| Summary.read(JSON.parse(raw)) }
    end

    # After a start: gives one verdict for each open sale, those of the journal and those that are
    # given (Hashes with `order_id` and `amount`). Options: `wait`, and those of `get_statuses`.
    def recover(sales = nil, **options)
      run(:recover, sales, options)
    end

    # Says step by step what works: a Checked. It asks for one status, and creates no order. Options:
    # `order_id`, and those of `get_status`.
    def check(**options)
      make(:check, options).run(&RESULTS[:check])
    end

    # Puts a call into the client's queue, and gives its number at once:
    # `start(:create_order, order, timeout: 10)`, `:get_status`, `:wait_for_payment`, `:recover`,
    # `:journal_resolve` or `:check`, with what the method of that name takes. Not for a client with
    # a log.
    def start(name, request = nil, **options)
      name = RESULTS.keys.find { |one| one.to_s == name.to_s } ||
             raise(unusable("#{name.inspect} is no call that can be started", :start))
      request, options = separate(name, request, options)
      json, query = request_of(name, request)
      options, cancellation = without_cancellation(name, options)
      options["cancellation"] = cancellation&.text
      options = json_of(name, "options") { Names.options(options) }
      @started.start(name, query, RESULTS[name], json, options)
    end

    # Gives the next started call that has ended, as an Ended, or nil if there is none within so many
    # seconds. Meanwhile other threads and fibers continue. After `stop` it waits only while an
    # answer can still come.
    def take(wait = 0)
      @started.take(wait) { free if @closed && @started.empty? }
    end

    # What an event loop can wait for: on Unix a descriptor that is readable when `take` has an
    # answer. It belongs to the client.
    def done_handle
      Library.call(:done_handle, @pointer)
    end

    # The entries of the journal, oldest first. Options: `state`, `order_id`, `limit`,
    # `after`, and `events` for what happened to each.
    def journal_list(**options)
      make(:journal_list, options).run { |raw| JournalEntry.list(JSON.parse(raw)) }
    end

    # Asks for the status of every open entry. Gives a Resolved.
    def journal_resolve(**options)
      make(:journal_resolve, options).run(&RESULTS[:journal_resolve])
    end

    # Closes an entry, or the one with that number, by hand. Options: `note`.
    def journal_settle(entry, **options)
      options = { entry: entry.is_a?(JournalEntry) ? entry.entry : entry, **options }
      make(:journal_settle, options).run { |raw| JournalEntry.read(JSON.parse(raw)) }
    end

    # Removes old closed entries. Gives how many. Options: `older_than_days`.
    def journal_prune(**options)
      make(:journal_prune, options).run { |raw| JSON.parse(raw)["removed"] }
    end

    # Ends all calls in flight. The client can be used again at once.
    def cancel
      end_calls(:client_cancel)
    end

    # Ends all calls in flight. Later calls are a CancelledError. Close the client afterwards.
    def stop
      end_calls(:client_stop)
      @started.stopped = true
    end

    def inspect
      "#<#{self.class}>"
    end

    # The object itself: a copy would be freed with its original.
    def dup(**)
      self
    end
    alias clone dup

    # Frees the client. Calls in flight finish, also started ones: `take` gives their answers.
    def close
      @closed = true
      @handle.pointer = 0
      @started.stopped = true
      free if @started.empty?
      nil
    end

    # What calls that can be started make of the library's text.
    RESULTS = {
      create_order: ->(raw) { Checkout.new(raw) },
      get_status: ->(raw) { Status.new(raw) },
      wait_for_payment: ->(raw) { Waited.new(raw) },
      recover: ->(raw) { Recovered.read(JSON.parse(raw)) },
      check: ->(raw) { Checked.read(JSON.parse(raw)) },
      journal_resolve: lambda do |raw|
        read = JSON.parse(raw)
        Resolved.new(Summary.read(read["summary"]), read["otherServices"], read["refusal"],
                     JournalEntry.list(read))
      end
    }.freeze
    private_constant :RESULTS

    private

    def free
      ObjectSpace.undefine_finalizer(self)
      Library.call(:client_free, @pointer)
    end

    # Makes a call that can also be started. Nothing is left to do here when that of an order ends.
    def run(name, request, options)
      request, options = separate(name, request, options)
      json, query = request_of(name, request)
      return make(name, options, query).run(json, &RESULTS[name]) if name != :get_status

      begin
        make(name, options, query).run(json, &RESULTS[name])
      rescue Error => e
        e.asked = query
        raise
      end
    end

    # The request of a call, whose fields may be among the options, and the other options. Ruby 2.7
    # also takes a Hash with the service's names for keywords.
    def separate(name, request, options)
      known = { create_order: ORDER, get_status: QUERY, wait_for_payment: QUERY }[name]
      return [request, options] unless known && request.nil?

      options.partition { |key, _| known.include?(Names.wire(key.to_s)) }.map(&:to_h)
    end

    # The request of a call, and what asks about its order. The program may change its own texts
    # during the call.
    def request_of(name, given)
      return [nil, nil] if given.nil? && %i[journal_resolve check recover].include?(name)

      json = case name
             when :check, :journal_resolve
               raise unusable("#{name} takes only options, as keywords", name)
             when :create_order
               json_of(name, "the order") { Names.wire_fields(given, "the order") }
             when :recover
               raise unusable("the sales must be an Array", name) unless given.respond_to?(:map)

               json_of(name, "the sales") { given.map { |sale| Names.wire_fields(sale, "a sale") } }
             else json_of(name, "the query") { query_of(given) }
             end
      read = JSON.parse(json)
      read = { "searchType" => "1", "orderId" => read["orderId"] } if name == :create_order
      [json, (read if name != :recover)]
    end

    def unusable(message, operation)
      Error.unusable(Library::Unusable.new(message, Cause::INVALID_VALUE), InvalidArgumentError,
                     operation)
    end

    def make(name, options, query = nil)
      options, cancellation = without_cancellation(name, options)
      Call.new(@handle, name, options, cancellation: cancellation, query: query)
    end

    # The options with the library's names, and the cancellation among them or nil.
    def without_cancellation(name, options)
      options = Names.wire_hash(options)
      given = options.delete("cancellation")
      return [options, given] if given.nil? || given.is_a?(Cancellation)

      raise unusable("cancellation must be a Payorder::Cancellation, not #{given.class}", name)
    rescue Library::Unusable => e
      raise Error.unusable(e, InvalidArgumentError, name)
    end

    def config_json(config)
      tls = config[:tls]
      config = { **config, tls: Names.wire_hash(tls) } if tls.is_a?(Hash)
      Library.json(Names.options(config), "the configuration")
    rescue Library::Unusable => e
      raise Error.unusable(e, InvalidConfigError)
    end

    def end_calls(name)
      result = Library.call(name, @pointer)
      return if result.zero?

      raise Error.of(result, Error.raw(result, Cause::CLIENT_FREED, Action::FIX_REQUEST,
                                       "the client is closed"))
    end

    # The block gives the value.
    def json_of(operation, what)
      Library.json(yield, what)
    rescue Library::Unusable => e
      raise Error.unusable(e, InvalidArgumentError, operation)
    end

    # The error of a query asks the same again.
    def query_of(query)
      if query.respond_to?(:status_query)
        query = query.status_query || (query.asked if query.is_a?(Error)) ||
                raise(unusable("this error names no order: give get_status the order id",
                               :get_status))
      end
      query.is_a?(Hash) ? Names.wire_hash(query) : { "orderId" => query }
    end

  end

  class << self
    # Checks an order, and gives the body that `create_order` would send.
    def build_create_order(order, **options)
      offline(:build_create_order, order, options)
    end

    def build_get_status(query)
      offline(:build_get_status, query)
    end

    # Reads the transaction from the URL on which the customer returned. It proves no payment.
    def parse_return_url(url)
      ReturnUrl.new(offline(:parse_return_url, url.to_s))
    end

    # Compares a status with what was expected: `order_id`, `amount` and perhaps `transaction_id`
    # and `not_before`, the Time when the sale began. The status is a Status, or the service's
    # response as JSON text.
    def verify_payment(expected, status)
      Verification.new(offline(:verify_payment, expected, text: status))
    end

    # The version of the C library.
    def version
      Library.text(Library.call(:version))
    end

    # What the library has in use, to find leaks.
    def live_counters
      { clients: Library.call(:live_clients), strings: Library.call(:live_strings),
        calls: Library.call(:live_calls) }
    end

    private

    def offline(name, *args, **more)
      args = args.map { |one| one.is_a?(String) ? Library.plain_text(one, "the text") : json(one) }
      args << status_text(more[:text]) if more.key?(:text)
      result, text = Library.call_for_text(name, *args)
      return text if result.zero?

      raise UnusableTextError, text
    rescue Library::Unusable => e
      raise Error.unusable(e, UnusableTextError)
    end

    def json(given)
      Library.json(Names.wire_fields(given, "the argument"), "the argument")
    end

    def status_text(status)
      return status.raw if status.is_a?(Status)
      return Library.plain_text(status, "the status") if status.is_a?(String)

      seen = status.is_a?(Waited) ? ", such as `waited.status`" : ""
      raise Library::Unusable.new("the status must be a Status#{seen}, or JSON text",
                                  Cause::INVALID_VALUE)
    end
  end
end
