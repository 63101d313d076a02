# frozen_string_literal: true

require "minitest/autorun"
require "payorder"
require "tmpdir"

# The sandbox, and orders for it.
module Support
  NUMBERS = Queue.new
  10_000.times { |number| NUMBERS << number }

  def client
    @client ||= Payorder::Client.from_env
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

  def until_true
    2000.times do
      found = yield
      return found if found

      sleep 0.01
    end
    flunk "never true"
  end

  # What a Ruby program prints until it ends by itself.
  def ended(program, *arguments)
    ruby = IO.popen([RbConfig.ruby, "-I#{File.expand_path('../lib', __dir__)}", "-rpayorder", "-e",
                     program, *arguments, err: %i[child out]])
    begin
      Timeout.timeout(60) { ruby.read }
    ensure
      Process.kill(:KILL, ruby.pid)
      ruby.close
    end
  end

  def arrived(order)
    until_true { seen?(order) }
  end

  def seen?(order)
    File.read(ENV.fetch("SANDBOX_OUTPUT")).include?(order[:order_id])
  end
end
