# frozen_string_literal: true

Gem::Specification.new do |gem|
  gem.name = "payorder"
  gem.version = "0.1.0"
  gem.summary = "Creates payment orders and reads their status, with libpayorder"
  gem.authors = ["The payorder authors"]
  gem.licenses = ["MIT", "Apache-2.0"]
  gem.required_ruby_version = ">= 2.7"
  # The library of the system on which the gem is built, if it was copied to lib.
  gem.files = Dir["lib/**/*", "sig/*", "samples/*", "README.md", "LICENSE-*"]
  gem.metadata = { "rubygems_mfa_required" => "true" }
end
