# frozen_string_literal: true

require "json"
require "minitest/autorun"
require "net/http"
require "payorder"
require "socket"
require "tmpdir"

# The sandbox, and services that answer as a test says.
module Support
  CREDENTIALS = { access_token: "sandbox-access-token", client_key: "sandbox-client-key",
                  client_id: "sandbox-client-id", secret_key: "sandbox-secret-key",
                  proxy: "none" }.freeze
  NUMBERS = Queue.new
  10_000.times { |number| NUMBERS << number }

  def config
    { base_url: ENV.fetch("PAYORDER_BASE_URL"), **CREDENTIALS }
  end

  def client
    @client ||= Payorder::Client.new(**config)
  end

  def teardown
    @client&.close
  end

  def new_order(product_info = "Tea", **more)
    id = "#{$$}-#{NUMBERS.pop}"
    { amount: "100.00", merchant_txn_id: "MTX-#{id}", order_id: "ORD-#{id}",
      pay_mode: "all", merchant_id: "M-1", product_info: product_info, customer_name: "Asha Rao",
      customer_mobile: "9000000001", customer_email: "asha@example.com",
      redirection_url: "https://shop.example.com/return", currency_code: "INR", **more }
  end

  # Presses a button of the checkout page. Gives the return URL.
  def press(url, button)
    form = { "Content-Type" => "application/x-www-form-urlencoded" }
    Net::HTTP.post(URI("#{url}/#{button}"), "", form)["location"]
  end

  def until_true
    2000.times do
      found = yield
      return found if found

      sleep 0.01
    end
    flunk "never true"
  end

  def arrived(order)
    until_true { seen?(order) }
  end

  def seen?(order)
    File.read(ENV.fetch("SANDBOX_OUTPUT")).include?(order[:order_id])
  end

  # A service that answers each request with what the block makes of its body. Yields the settings.
  def with_service(answer)
    server = TCPServer.new("127.0.0.1", 0)
    thread = Thread.new do
      loop do
        socket = server.accept
        length = 0
        while (line = socket.gets) && line != "\r\n"
          length = line[/\d+/].to_i if line.downcase.start_with?("content-length")
        end
        body = answer.call(socket.read(length))
        socket.write("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n" \
                     "Content-Length: #{body.bytesize}\r\n\r\n#{body}")
        socket.close
      end
    end
    yield({ **CREDENTIALS, base_url: "http://127.0.0.1:#{server.addr[1]}" })
  ensure
    thread&.kill
    server&.close
  end
end
