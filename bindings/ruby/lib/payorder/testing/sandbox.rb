# frozen_string_literal: true

require "erb"
require "json"
require "net/http"
require "payorder"

module Payorder
  module Testing
    # A simulation of the payment service on this machine, for tests. No real money moves. It is a
    # process of its own on a free port, and ends with the program that started it.
    class Sandbox
      # @return [Hash] the settings of a client: the URL, the credentials, and no proxy
      attr_reader :settings

      def initialize
        @process = IO.popen([program, "--private"], "r+")
        @owner = Process.pid
        found = @process.gets.to_s.match(/ (http\S+) with Authorization: Bearer (\S+)/)
        raise "the sandbox #{program} did not start" unless found && @process.gets

        # Nobody reads its log.
        @process.close_read
        @control, @secret = found.captures
        described = ask(:Get, "")
        @settings = { base_url: described["baseUrl"], proxy: "none",
                      **Names.ruby_hash(described["credentials"]) }
      end

      # @return [String] the URL of the service
      def base_url
        settings[:base_url]
      end

      # A client of the sandbox, which is closed after the block if there is one.
      def client(**more, &block)
        block ? Client.open(**settings, **more, &block) : Client.new(**settings, **more)
      end

      # What the customer or the shop does with an order. They return it as it is then.
      %w[pay fail cancel refund].each do |deed|
        define_method(deed) do |order_id|
          ask(:Post, "/orders/#{ERB::Util.url_encode(order_id)}/#{deed}")
        end
      end

      # @return [Array<Hash>] the orders that the service has
      def orders
        ask(:Get, "/orders")["orders"]
      end

      # @return [Array<Hash>] the requests that the service got, with their responses
      def requests
        ask(:Get, "/requests?after=0")["requests"]
      end

      # @param rule [String] such as "create:1:drop-after-commit"
      def fault(rule)
        ask(:Post, "/faults", JSON.generate(rule: rule))
      end

      # Forgets all orders, requests and faults.
      def reset
        ask(:Post, "/reset")
      end

      # Ends it, unless a forked child of the tests calls this.
      def close
        # A forked child has its standard input too, so closing that would not end it.
        Process.kill(:KILL, @process.pid) if Process.pid == @owner && !@process.closed?
        @process.close
      end

      private

      def program
        named = ENV.fetch("PAYORDER_SANDBOX", "")
        return named if File.file?(named)

        folders = named.empty? ? ENV.fetch("PATH", "").split(File::PATH_SEPARATOR) : []
        folders.product(["", ".exe"]).map { |folder, ending| "#{folder}/payorder-sandbox#{ending}" }
               .find { |path| File.file?(path) } || raise(missing(named))
      end

      def missing(named)
        place = named.empty? ? "in PATH" : "at #{named}"
        "there is no payorder-sandbox #{place}: put it there from an archive of a release, or name " \
          "its path in PAYORDER_SANDBOX"
      end

      def ask(method, path, body = "")
        address = URI("#{@control}/sandbox#{path}")
        headers = { "Authorization" => "Bearer #{@secret}", "Content-Type" => "application/json" }
        request = Net::HTTP.const_get(method).new(address, headers)
        request.body = body if method == :Post
        response = Net::HTTP.start(address.host, address.port, nil) { |http| http.request(request) }
        answer = JSON.parse(response.body)
        response.is_a?(Net::HTTPSuccess) ? answer : raise(answer["error"])
      end
    end
  end
end
