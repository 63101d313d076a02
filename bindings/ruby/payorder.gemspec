# frozen_string_literal: true

require_relative "lib/payorder/version"

Gem::Specification.new do |gem|
  gem.name = "payorder"
  gem.version = Payorder::VERSION
  gem.summary = "Creates payment orders and reads their status, with libpayorder"
  gem.authors = ["the payorder developers"]
  gem.homepage = "https://payorder.example"
  gem.licenses = ["MIT", "Apache-2.0"]
  gem.required_ruby_version = ">= 2.7"
  # Ruby 3.5 does not bring it.
  gem.add_dependency "fiddle", ">= 1.0"
  # bindings/package puts the library of each system into native.
  gem.files = Dir["{lib,native,samples,sig}/**/*", "*.gemspec", "README.md", "LICENSE-*"].select { |it| File.file?(it) }
  gem.metadata = {
    "source_code_uri" => "https://git.payorder.example/payorder",
    "bug_tracker_uri" => "https://git.payorder.example/payorder/issues",
    "rubygems_mfa_required" => "true"
  }
end
