# frozen_string_literal: true

# A restart after a crash: the journal knows which orders may have been sent.
#
#     ruby restart.rb JOURNAL ORDER_ID
#
# Run it, kill it while it waits for the service, and run it again: it does not send the order a
# second time, but asks for its status.

require_relative "till"

journal, order_id = ARGV
Payorder::Client.from_env(journal: journal, timeout: 5) do |client|
  # At each start: one verdict for each order that is open, and for each sale that the till's own
  # records do not call finished. The time limit of an order that a killed program was sending must
  # pass first.
  sales = client.recover([{ order_id: order_id, amount: "249.50" }], wait: 10).sales
  sales.each do |sale|
    puts "order #{sale.order_id}: #{sale.verdict} #{sale.transaction_status} #{sale.url}"
  end

  # This sale is the first. After any other verdict, the order may exist. After not_in_journal
  # it may, too, if this journal was restored, replaced or pruned.
  if %w[not_in_journal not_sent refused].include?(sales.first.verdict)
    puts "send the customer to #{client.create_order(new_order(order_id, "249.50")).url}"
  end
rescue Payorder::OutcomeUnknownError => e # also a DuplicateError: another program has sent it
  puts "the order may exist: #{e.action}: #{e.message}"
  page = e.previous&.url || e.checkout_url
  # What a person must look at may be the page of another sale.
  puts "if it is not paid, the page is #{page}" if page && e.action != Payorder::Action::ASK_PERSON
end
