# frozen_string_literal: true

require_relative "support"
require "payorder/testing"

class SandboxTest < Minitest::Test
  include Support

  def test_it_pays_refunds_fails_and_forgets
    sandbox = Payorder::Testing::Sandbox.new
    sandbox.client do |client|
      order = new_order
      id = order[:order_id] = "O/1 ä"
      client.create_order(order)
      assert_equal "Completed", sandbox.pay(id)["state"]
      assert client.get_status(id).completed?
      assert sandbox.refund(id)["refunded"]
      sandbox.fault("create:1:drop-after-commit")
      assert_raises(Payorder::ConnectionLostError) { client.create_order(new_order) }
      assert_equal 2, sandbox.orders.size
      assert_equal %w[create status create], sandbox.requests.map { |one| one["step"] }
      refused = assert_raises(RuntimeError) { sandbox.cancel("none") }
      assert_match(/none/, refused.message)
      sandbox.reset
      assert_empty sandbox.orders
    end
    sandbox.close
    sandbox.close
    assert_raises(SystemCallError) { sandbox.orders }
  end

  def test_a_forked_child_neither_ends_it_nor_delays_its_end
    sandbox = Payorder::Testing::Sandbox.new
    closing = fork do
      sandbox.close
      exit!
    end
    Process.wait(closing)
    assert_empty sandbox.orders
    child = fork do
      sleep 10
      exit!
    end
    sandbox.close
    assert_nil Process.wait(child, Process::WNOHANG), "it waited for the child"
    Process.kill(:KILL, child)
    Process.wait(child)
  end

  def test_it_ends_with_a_program_that_is_killed
    program = 'require "payorder/testing"
      one = Payorder::Testing::Sandbox.new
      print one.base_url
      $stdout.flush
      Process.kill(:KILL, $$)'
    address = URI(ended(program))
    until_true do
      TCPSocket.new(address.host, address.port).close
      false
    rescue SystemCallError
      true
    end
  end

  def test_it_says_how_to_get_one
    named = ENV.fetch("PAYORDER_SANDBOX")
    { "/nowhere" => %r{sandbox at /nowhere}, "" => /in PATH: put it/ }.each do |path, words|
      ENV["PAYORDER_SANDBOX"] = path
      assert_match words, assert_raises(RuntimeError) { Payorder::Testing::Sandbox.new }.message
    end
  ensure
    ENV["PAYORDER_SANDBOX"] = named
  end
end
