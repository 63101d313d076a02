#!/usr/bin/perl
# A lost answer: the service gets the order, and the connection breaks before its response arrives.
# The order may exist, so the program asks for its status before it does anything else.
#
#     perl lost_answer.pl ORDER_ID

use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Till;

my $client = Payorder->from_env;

# The sandbox keeps this order and cuts the connection.
my $order = new_order( $ARGV[0], '249.50', 'Two coffees sandbox:drop-after-commit' );
if ( !eval { $client->create_order($order); 1 } ) {
    my $error = $@;
    die $error if !$error->isa('Payorder::OutcomeUnknownError');
    print 'the order may exist: ', $error->name, ', ', $error->action, "\n";
    if ( my $status = eval { $client->get_status($error) } ) {
        print 'the service has order ', $status->order_id, ': ', $status->transaction_status, "\n";

        # Its checkout URL is lost. If it is not paid, a person decides whether to sell again.
    }
    else {
        # Even "no such order" proves nothing: the service may not know it yet.
        print "still not known, ask again later: $@\n";
    }
}
