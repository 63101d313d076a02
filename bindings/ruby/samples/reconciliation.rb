# frozen_string_literal: true

# A nightly reconciliation: compares a list of orders with the service.
#
#     ruby reconciliation.rb ORDERS.csv > REPORT.csv
#
# Each line of the file is an order id and an amount. The exit status is 0 if all orders are paid as
# expected, 2 if there are no orders to ask for, and 6 otherwise.

require_relative "till"

Row = Struct.new(:order_id, :amount) do
  def status_query
    { order_id: order_id }
  end
end

def verdict(result)
  # With wrong credentials, nothing is known about the order: ask again later.
  return "refused" if result.error&.name == "PAYORDER_REJECTED"
  return "no_answer" if result.error

  payment = Payorder.verify_payment(result.query.to_h, result.status)
  payment.paid? ? "matched" : payment.reasons.map(&:check).join(" ")
rescue Payorder::UnusableTextError
  "cannot be checked" # such as an amount with a space
end

def no_orders(why)
  warn why
  exit 2
end

begin
  # Without a byte-order mark.
  lines = File.foreach(ARGV.fetch(0, ""), mode: "r:bom|utf-8", chomp: true)
  rows = lines.with_index(1).filter_map do |line, number|
    next if line.empty?

    row = Row.new(*line.split(",").first(2))
    row.amount ? row : no_orders("line #{number} is not an order and an amount")
  end
rescue SystemCallError => e
  no_orders("cannot read the orders: #{e.message}")
end
no_orders("no orders in #{ARGV[0]}") if rows.empty?

differ = 0
Payorder::Client.from_env do |client|
  summary = client.get_statuses(rows, concurrency: 16, rate_per_second: 200) do |result|
    found = verdict(result)
    differ += 1 unless found == "matched"
    puts [*result.query.to_a, found].join(",")
  end
  warn "asked for #{summary.asked} orders"
end
exit(differ.zero? ? 0 : 6)
