#!/usr/bin/perl
# A restart after a crash: the journal knows which orders may have been sent.
#
#     perl restart.pl JOURNAL ORDER_ID
#
# Run it, kill it while it waits for the service, and run it again: it does not send the order a
# second time, but asks for its status.

use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Till;

my ( $journal, $order_id ) = @ARGV;
my $client = Payorder->from_env( journal => $journal, timeout => 5 );

# At each start: one verdict for each order that is open, and for each sale that the till's own records
# do not call finished. The time limit of an order that a killed program was sending must pass first.
my $sales = $client->recover( [ { order_id => $order_id, amount => '249.50' } ], wait => 10 )->{sales};
print join( ' ', "order $_->{orderId}:", grep {defined} @$_{qw(verdict transactionStatus url)} ), "\n"
    for @$sales;

# This sale is the first. After any other verdict, the order may exist. After not_in_journal
# it may, too, if this journal was restored, replaced or pruned.
exit if $sales->[0]{verdict} !~ /^(?:not_in_journal|not_sent|refused)$/;
if ( my $checkout = eval { $client->create_order( new_order( $order_id, '249.50' ) ) } ) {
    print 'send the customer to ', $checkout->url, "\n";
}
else {
    my $error = $@;
    # Also a DuplicateError: another program has sent it meanwhile.
    die $error if !$error->isa('Payorder::OutcomeUnknownError');
    print 'the order may exist: ', $error->action, ": $error\n";
    my $page = ( $error->previous // {} )->{url} || $error->checkout_url;
    # What a person must look at may be the page of another sale.
    print "if it is not paid, the page is $page\n" if $page && $error->action ne 'ask_person';
}
