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

  def test_a_library_with_another_abi_is_refused
    Dir.mktmpdir do |folder|
      File.write("#{folder}/stub.c", "unsigned payorder_abi_version(void) { return 2; }\n")
      assert system("gcc", "-shared", "-fPIC", "-o", "#{folder}/stub.so", "#{folder}/stub.c")
      output = load_package("#{folder}/stub.so")
      assert_match(/version 2 of the ABI, and this package needs version 1/, output)
      assert_includes output, "#{folder}/stub.so"
      output = load_package("#{folder}/missing.so")
      assert_match(/missing.so: cannot open shared object file/, output)
      assert_equal 1, output.scan("missing.so").size
      refute_match(/libpayorder/, output)
    end
  end

  def test_a_forgotten_client_is_freed
    Payorder.live_counters[:clients].times { GC.start }
    100.times { Payorder::Client.new(**config) }
    until_true do
      GC.start
      Payorder.live_counters[:clients] < 20
    end
  end

  def test_nothing_is_left_after_errors_of_every_kind
    before = Payorder.live_counters
    Payorder::Client.open(**config) do |other|
      [-> { other.create_order(new_order("sandbox:reject")) }, -> { other.create_order({}) },
       -> { other.create_order(new_order("\xff")) }, -> { other.get_status("none") },
       -> { other.journal_list }, -> { Payorder.parse_return_url("?") },
       -> { Payorder::Client.new }].each { |one| assert_raises(Payorder::Error, &one) }
    end
    assert_equal before[:strings], Payorder.live_counters[:strings]
    assert_equal 0, Payorder.live_counters[:calls]
  end

  def test_the_types_are_valid
    require "rbs"
    require "rbs/cli"
    RBS::CLI.new(stdout: $stdout, stderr: $stderr).run(%W[-I #{HOME}/sig validate --silent])
  rescue LoadError
    skip "the gem rbs is not installed"
  end

  def test_the_constants_are_current
    assert system("python3", "#{HOME}/../constants.py", "--check")
  end
end

class DocumentsTest < Minitest::Test
  include Support

  HOME = LibraryTest::HOME

  def command(*args)
    env = { "PAYORDER_BASE_URL" => Support.address, "no_proxy" => "*",
            "PAYORDER_ACCESS_TOKEN" => "sandbox-access-token",
            "PAYORDER_CLIENT_KEY" => "sandbox-client-key",
            "PAYORDER_CLIENT_ID" => "sandbox-client-id",
            "PAYORDER_SECRET_KEY" => "sandbox-secret-key" }
    [env, RbConfig.ruby, "-w", "-I#{HOME}/lib", *args, { err: %i[child out] }]
  end

  # Runs a program, and pays for the order whose URL it prints.
  def run_paying(*args)
    output = +""
    IO.popen(command(*args)) do |program|
      program.each_line do |line|
        output << line
        url = line[/send the customer to (\S+)/, 1]
        press(url, "pay") if url
      end
    end
    [output, $?.exitstatus]
  end

  def test_the_snippets_of_the_readme_run
    code = File.read("#{HOME}/README.md").scan(/^```ruby\n(.*?)^```/m).join("\n")
    output, status = run_paying("-e", "$stdout.sync = true\n#{code}")
    assert_equal 0, status, output
    assert_match(/^paid$/, output)
    assert_match(/^the order may exist: /, output)
  end
end
