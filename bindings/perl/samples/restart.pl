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
my $client = Payorder->from_env( journal => $journal );

# At each start: one verdict for each order that is open.
print "order $_->{orderId}: $_->{verdict} ", $_->{url} // '', "\n" for @{ $client->recover->{sales} };

# The sandbox keeps this order and never answers.
my $order = new_order( $order_id, '249.50', 'Two coffees sandbox:stall' );
my $checkout = eval { $client->create_order($order) };
if ( my $error = $@ ) {
    die $error if !$error->isa('Payorder::DuplicateError');
    my $previous = $error->previous;
    print "order $previous->{orderId} is in the journal as $previous->{state}\n";
    my $status = $client->get_status($error);
    print 'the service has order ', $status->order_id, ': ', $status->transaction_status, "\n";
}
else {
    print 'send the customer to ', $checkout->url, "\n";
}
