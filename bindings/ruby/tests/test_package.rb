# frozen_string_literal: true

require_relative "support"
require "minitest/mock"

class LibraryTest < Minitest::Test
  include Support

  HOME = File.expand_path("..", __dir__)

  def test_a_forgotten_client_is_freed
    Payorder.live_counters[:clients].times { GC.start }
    100.times { Payorder::Client.from_env }
    until_true do
      GC.start
      Payorder.live_counters[:clients] < 20
    end
  end

  def test_a_client_whose_creation_was_interrupted_is_freed
    call = Payorder::Library.method(:call)
    hurt = lambda do |name, *rest|
      call.call(name, *rest).tap { raise Interrupt if name == :client_from_env }
    end
    Payorder::Library.stub(:call, hurt) do
      100.times { assert_raises(Interrupt) { Payorder::Client.from_env } }
    end
    until_true do
      GC.start
      Payorder.live_counters[:clients] < 20
    end
  end

  def test_a_client_without_a_library_is_an_error_and_nothing_else
    program = <<~RUBY
      ENV["PAYORDER_LIBRARY"] = "/none"
      begin
        Payorder::Client.new
      rescue Payorder::LibraryError
        puts "rescued"
      end
    RUBY
    assert_equal "rescued\n", ended(program)
  end

  def test_it_loads_with_the_fiddle_of_ruby_2_7
    program = <<~RUBY
      newer = Fiddle.constants.grep(/\\ATYPE_U?INT\\d/)
      newer.each { |type| Fiddle.send(:remove_const, type) }
      require "payorder"
      puts Payorder.version
    RUBY
    command = [RbConfig.ruby, "-I#{HOME}/lib", "-rfiddle", "-e", program]
    assert_match(/\A\d/, IO.popen(command, err: %i[child out], &:read))
  end

  def test_the_types_are_valid
    require "rbs"
    require "rbs/cli"
    RBS::CLI.new(stdout: $stdout, stderr: $stderr).run(%W[-I #{HOME}/sig validate --silent])
  rescue LoadError
    skip "the gem rbs is not installed"
  end
end
