require "json"
require "payorder"

run(lambda do |request|
  order = request["QUERY_STRING"][/order=(.*)/, 1]
  # The client of the worker: Puma forks before its first request.
  $client ||= Payorder::Client.from_env
  said = begin
    $client.create_order({ **JSON.parse(ENV.fetch("ORDER")), "orderId" => order, "merchantTxnId" => "T-#{order}" }).url
  rescue Payorder::Error => error
    error.class.name
  end
  [200, {}, [said]]
end)
