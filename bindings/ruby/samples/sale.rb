# frozen_string_literal: true

# A sale: creates an order, shows where the customer pays, waits, and verifies the payment.
#
#     ruby sale.rb ORDER_ID AMOUNT
#
# The exit status is 0 if the order is paid, otherwise 1.

require_relative "till"
$stdout.sync = true

# The answer to the order was lost. A query changes nothing.
def ask(client, error)
  status = client.get_status(error)
  puts "the service has order #{status.order_id}: #{status.transaction_status}"
  # Without its checkout URL, and if it is not paid, a person decides whether to sell again.
rescue Payorder::Error => e
  # Even "no such order" proves nothing: the service may not know it yet.
  puts "still not known, ask again later: #{e.message}"
end

order_id, amount = ARGV
began = Time.now
paid = false
Payorder::Client.from_env do |client|
  checkout = client.create_order(new_order(order_id, amount))
  puts "send the customer to #{checkout.url}"

  waited = client.wait_for_payment(order_id, wait: 300, interval: 1)
  status = waited.status
  if status.nil?
    puts "OPEN: no status was seen: #{waited.error.message}"
  else
    # A status alone does not prove a payment: compare it with what you expect.
    payment = Payorder.verify_payment({ order_id: order_id, amount: amount, not_before: began },
                                      status)
    paid = payment.paid?
    if paid then puts "PAID: #{amount} for order #{order_id}"
    elsif status.transaction_status.strip.casecmp?("completed") ||
          [status.refund_status, status.refund_type, status.settlement_status,
           status.settlement_date].any? { _1 != "" }
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
  abort "REJECTED: #{e.message}" if e.is_a?(Payorder::RejectedError)
  puts "OPEN: #{e.action}: #{e.message}"
  ask(client, e)
  page = e.previous&.url || e.checkout_url
  # What a person must look at may be the page of another sale.
  puts "if it is not paid, the page is #{page}" if page && e.action != Payorder::Action::ASK_PERSON
end
exit paid
