# frozen_string_literal: true

require_relative "till"

count, prefix = ARGV
Payorder::Client.from_env do |client|
  count.to_i.times do |number|
    checkout = client.create_order(new_order("#{prefix}-#{number}", "249.50", "Two coffees"))
    abort if checkout.url.empty?
  end
end
