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
  # At each start: one verdict for each order that is open, and for each sale that the till's own
  # records do not call finished.
  client.recover([{ order_id: order_id, amount: "249.50" }]).sales.each do |sale|
    puts "order #{sale.order_id}: #{sale.verdict} #{sale.url}"
  end

  puts "send the customer to #{client.create_order(new_order(order_id, "249.50")).url}"
rescue Payorder::DuplicateError => e
  puts e.previous.url ? "the customer pays at #{e.previous.url}" : "#{e.action}: #{e.message}"
  puts "the service says: #{client.get_status(e).transaction_status}"
end
