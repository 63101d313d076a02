use JSON::PP;
use Payorder;

my $client;    # of the worker

sub {
    my ($order) = $_[0]{QUERY_STRING} =~ /order=(.*)/;
    $client ||= Payorder->from_env;
    my $checkout = eval { $client->create_order({ %{ decode_json($ENV{ORDER}) }, order_id => $order, merchant_txn_id => "T-$order" }) };
    [200, [], [$checkout ? $checkout->url : ref $@]];
};
