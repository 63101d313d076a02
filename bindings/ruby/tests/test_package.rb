# frozen_string_literal: true

require_relative "support"

class LibraryTest < Minitest::Test
  include Support

  HOME = File.expand_path("..", __dir__)

  # A library that cannot be used looks like every other order that was not sent.
  CHECK = "begin; Payorder::Client.new; rescue Payorder::NotSentError => e; puts e.message; end"

  def load_package(library)
    env = { "PAYORDER_LIBRARY" => library }
    IO.popen([env, RbConfig.ruby, "-I#{HOME}/lib", "-rpayorder", "-e", CHECK, err: %i[child out]],
             &:read)
  end

  def test_payorder_library_is_the_only_place_if_it_is_set
    output = load_package("/nowhere/missing.so")
    assert_match(/missing.so: cannot open shared object file/, output)
    assert_equal 1, output.scan("missing.so").size
    refute_match(/libpayorder/, output)
  end

  def test_a_forgotten_client_is_freed
    Payorder.live_counters[:clients].times { GC.start }
    100.times { Payorder::Client.from_env }
    until_true do
      GC.start
      Payorder.live_counters[:clients] < 20
    end
  end

  def test_the_types_are_valid
    require "rbs"
    require "rbs/cli"
    RBS::CLI.new(stdout: $stdout, stderr: $stderr).run(%W[-I #{HOME}/sig validate --silent])
  rescue LoadError
    skip "the gem rbs is not installed"
  end
end
