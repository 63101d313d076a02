# frozen_string_literal: true

require "minitest/autorun"
require "tmpdir"
require_relative "../samples/till"

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
    order = super("ORD-#{$$}-#{NUMBERS.pop}", "100.00")
    { **order, product_info: product_info, **more }
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
