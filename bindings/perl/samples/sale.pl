#!/usr/bin/perl
# A sale: creates an order, shows where the customer pays, waits, and verifies the payment.
#
#     perl sale.pl ORDER_ID AMOUNT
#
# The exit status is 0 if the order is paid.

use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Till;
$| = 1;

my ( $order_id, $amount ) = @ARGV;
my $began  = time;
my $client = Payorder->from_env;
my $checkout;
my $waited = eval {
    $checkout = $client->create_order( new_order( $order_id, $amount ) );
    print 'send the customer to ', $checkout->url, "\n";
    $client->wait_for_payment( $order_id, wait => 300, interval => 1 );
};
if ( my $error = $@ ) {
    # Once the order was created, an error of the wait leaves it open.
    die "OPEN: $error\n" if $checkout;
    die "NOT SENT: $error\n" if $error->isa('Payorder::NotSentError');
    die "REJECTED: $error\n" if $error->isa('Payorder::RejectedError');
    print 'OPEN: ', $error->action, ": $error\n";

    # The answer was lost. A query changes nothing.
    if ( my $status = eval { $client->get_status($error) } ) {
        print 'the service has order ', $status->order_id, ': ', $status->transaction_status, "\n";

        # Without its checkout URL, and if it is not paid, a person decides whether to sell again.
    }
    else {
        # Even "no such order" proves nothing: the service may not know it yet.
        print "still not known, ask again later: $@\n";
    }
    my $page = ( $error->previous // {} )->{url} || $error->checkout_url;

    # What a person must look at may be the page of another sale.
    print "if it is not paid, the page is $page\n" if $page && $error->action ne 'ask_person';
    exit 1;
}
if ( !$waited->status ) {
    print 'OPEN: no status was seen: ', $waited->error, "\n";
    exit 1;
}

# A status alone does not prove a payment: compare it with what you expect.
my $expected = { order_id => $order_id, amount => $amount, not_before => $began };
my $status = $waited->status;
my $payment = Payorder::verify_payment( $expected, $status );
my $money_moved = $status->transaction_status =~ /^\s*completed\s*$/i
    || $status->refund_status . $status->refund_type ne ''
    || $status->settlement_status . $status->settlement_date ne '';
print $payment->paid ? "PAID: $amount for order $order_id\n"
    : $money_moved ? "CHECK: show it to a person: order $order_id\n"
    : "OPEN: the customer can still pay: order $order_id\n";
print "  $_->{check}: expected $_->{expected}, got $_->{actual}\n" for $payment->reasons;
exit( $payment->paid ? 0 : 1 );
