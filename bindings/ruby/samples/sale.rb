# frozen_string_literal: true

# A sale: creates an order, shows where the customer pays, waits, and verifies the payment.
#
#     ruby sale.rb JOURNAL ORDER_ID AMOUNT
#
# If the answer is lost, or the program was killed while it sent the order and runs again, it does
# not send the order a second time: it asks for its status.

require "payorder"
$stdout.sync = true

journal, order_id, amount = ARGV
# An order needs identifiers that were never used before.
order = { amount: amount, # text or BigDecimal, never a Float
          merchant_txn_id: "T-#{order_id}", order_id: order_id, pay_mode: "all",
          merchant_id: "M-1", # the marker is for the sandbox: a fault
          product_info: "Two coffees #{ENV.fetch("PAYORDER_SAMPLE_MARKER", "")}",
          customer_name: "Asha Rao", customer_mobile: "9000000001",
          customer_email: "asha@example.com",
          redirection_url: "https://shop.example.com/return", currency_code: "INR" }

# The order may exist: what the journal and the service know of it.
def ask(client, error)
  puts "the order may exist: #{error.name}"
  puts "order #{error.previous.order_id} is in the journal as #{error.previous.state}" if error.previous
  status = client.get_status(error)
  puts "the service has order #{status.order_id}: #{status.transaction_status}"
  # Its checkout URL is lost. If it is not paid, a person decides whether to sell again.
rescue Payorder::Error => e
  # Even "no such order" proves nothing: the service may not know it yet.
  puts "still not known, ask again later: #{e.message}"
end

Payorder::Client.from_env(journal: journal) do |client|
  # At each start: one verdict for each order that is open.
  client.recover.sales.each do |sale|
    puts "order #{sale.order_id}: #{sale.verdict} #{sale.url}"
  end
  checkout = client.create_order(order)
  puts "send the customer to #{checkout.url}"

  waited = client.wait_for_payment(order_id, wait: 300, interval: 1)
  status = waited.status
  if status.nil?
    puts "OPEN: no status was seen: #{waited.error.message}"
  else
    # A status alone does not prove a payment: compare it with what you expect.
    payment = Payorder.verify_payment({ order_id: order_id, amount: amount }, status)
    if payment.paid? then puts "PAID: #{amount} for order #{order_id}"
    elsif status.completed? || status.refund_status != "" || status.refund_type != ""
      puts "CHECK: show it to a person: order #{order_id}"
    else puts "OPEN: the customer can still pay: order #{order_id}"
    end
    payment.reasons.each do |reason|
      puts "  #{reason.check}: expected #{reason.expected}, got #{reason.actual}"
    end
  end
rescue Payorder::Error => e
  # Once the order was created, an error of the wait leaves it open.
  abort "OPEN: #{e.message}" if checkout
  abort "NOT SENT: #{e.message}" if e.is_a?(Payorder::NotSentError)
  abort "REJECTED: #{e.response_message}" if e.is_a?(Payorder::RejectedError)
  ask(client, e)
end
