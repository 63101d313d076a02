#!/usr/bin/perl
# A sale: creates an order, shows where the customer pays, waits, and verifies the payment.
#
#     perl sale.pl JOURNAL ORDER_ID AMOUNT
#
# If the answer is lost, or the program was killed while it sent the order and runs again, it does
# not send the order a second time: it asks for its status.

use strict;
use warnings;
use Payorder;
$| = 1;

my ( $journal, $order_id, $amount ) = @ARGV;
my $client = Payorder->from_env( journal => $journal );

# At each start: one verdict for each order that is open.
print "order $_->{orderId}: $_->{verdict} ", $_->{url} // '', "\n" for @{ $client->recover->{sales} };

# An order needs identifiers that were never used before.
my %order = (
    amount          => "$amount",                            # text, never a number
    merchant_txn_id => "T-$order_id",
    order_id        => $order_id,
    pay_mode        => 'all',
    merchant_id     => 'M-1',
    product_info    => 'Two coffees ' . ( $ENV{PAYORDER_SAMPLE_MARKER} // '' ),  # for the sandbox
    customer_name   => 'Asha Rao',
    customer_mobile => '9000000001',
    customer_email  => 'asha@example.com',
    redirection_url => 'https://shop.example.com/return',
    currency_code   => 'INR',
);

# The order may exist: what the journal and the service know of it.
sub ask {
    my ($error) = @_;
    print 'the order may exist: ', $error->name, "\n";
    if ( my $previous = $error->previous ) {
        print "order $previous->{orderId} is in the journal as $previous->{state}\n";
    }
    if ( my $status = eval { $client->get_status($error) } ) {
        print 'the service has order ', $status->order_id, ': ', $status->transaction_status, "\n";

        # Its checkout URL is lost. If it is not paid, a person decides whether to sell again.
    }
    else {
        # Even "no such order" proves nothing: the service may not know it yet.
        print "still not known, ask again later: $@\n";
    }
    exit 1;
}

my $checkout;
my $waited = eval {
    $checkout = $client->create_order( \%order );
    print 'send the customer to ', $checkout->url, "\n";
    $client->wait_for_payment( $order_id, wait => 300, interval => 1 );
};
if ( my $error = $@ ) {
    # Once the order was created, an error of the wait leaves it open.
    die "OPEN: $error\n" if $checkout;
    die "NOT SENT: $error\n" if $error->isa('Payorder::NotSentError');
    die 'REJECTED: ' . $error->response_message . "\n" if $error->isa('Payorder::RejectedError');
    ask($error);
}
if ( !$waited->status ) {
    print 'OPEN: no status was seen: ', $waited->error, "\n";
    exit 1;
}

# A status alone does not prove a payment: compare it with what you expect.
my $expected = { order_id => $order_id, amount => $amount };
my $status = $waited->status;
my $payment = Payorder::verify_payment( $expected, $status );
my $money_moved =
    $status->completed || $status->refund_status ne '' || $status->refund_type ne '';
print $payment->paid ? "PAID: $amount for order $order_id\n"
    : $money_moved ? "CHECK: show it to a person: order $order_id\n"
    : "OPEN: the customer can still pay: order $order_id\n";
print "  $_->{check}: expected $_->{expected}, got $_->{actual}\n" for $payment->reasons;
