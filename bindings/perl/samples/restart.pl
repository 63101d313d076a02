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

# At each start: one verdict for each order that is open, and for each sale that the till's own records
# do not call finished.
my $recovered = $client->recover( [ { order_id => $order_id, amount => '249.50' } ] );
print "order $_->{orderId}: $_->{verdict} ", $_->{url} // '', "\n" for @{ $recovered->{sales} };

my $checkout;
if ( !eval { $checkout = $client->create_order( new_order( $order_id, '249.50' ) ); 1 } ) {
    my $error = $@;
    die $error if !$error->isa('Payorder::DuplicateError');
    my $url = $error->previous->{url};
    print $url ? "the customer pays at $url\n" : $error->action . ": $error\n";
    print 'the service says: ', $client->get_status($error)->transaction_status, "\n";
}
else {
    print 'send the customer to ', $checkout->url, "\n";
}
