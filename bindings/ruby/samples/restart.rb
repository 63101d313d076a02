# frozen_string_literal: true

# A restart after a crash: the journal knows which orders may have been sent.
#
#     ruby restart.rb JOURNAL ORDER_ID
#
# Run it, kill it while it waits for the service, and run it again: it does not send the order a
# second time, but asks for its status.

require_relative "till"

journal, order_id = ARGV
Payorder::Client.from_env(journal: journal) do |client|
  # At each start: one verdict for each order that is open.
  client.recover.sales.each do |sale|
    puts "order #{sale.order_id}: #{sale.verdict} #{sale.url}"
  end

  # The sandbox keeps this order and never answers.
  order = new_order(order_id, "249.50", "Two coffees sandbox:stall")
  puts "send the customer to #{client.create_order(order).url}"
rescue Payorder::DuplicateError => e
  puts "order #{e.previous.order_id} is in the journal as #{e.previous.state}"
  status = client.get_status(e)
  puts "the service has order #{status.order_id}: #{status.transaction_status}"
end
