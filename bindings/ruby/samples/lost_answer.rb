# frozen_string_literal: true

# A lost answer: the service gets the order, and the connection breaks before its response arrives.
# The order may exist, so the program asks for its status before it does anything else.
#
#     ruby lost_answer.rb ORDER_ID

require_relative "till"

Payorder::Client.from_env do |client|
  # The sandbox keeps this order and cuts the connection.
  client.create_order(new_order(ARGV[0], "249.50", "Two coffees sandbox:drop-after-commit"))
rescue Payorder::OutcomeUnknownError => e
  puts "the order may exist: #{e.name}, #{e.action}"
  begin
    status = client.get_status(e)
    puts "the service has order #{status.order_id}: #{status.transaction_status}"
    # Its checkout URL is lost. If it is not paid, a person decides whether to sell again.
  rescue Payorder::Error => failed
    # Even "no such order" proves nothing: the service may not know it yet.
    puts "still not known, ask again later: #{failed.message}"
  end
end
