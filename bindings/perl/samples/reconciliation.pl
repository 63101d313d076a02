#!/usr/bin/perl
# A nightly reconciliation: compares a list of orders with the service.
#
#     perl reconciliation.pl ORDERS.csv > REPORT.csv
#
# Each line of the file is an order id and an amount. The exit status is 0 if all orders are paid as
# expected, 2 if there are no orders to ask for, and 6 otherwise.

use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Till;

my ( @expected, $differ );
my $file = $ARGV[0] // '';
open my $lines, '<:crlf', $file or print STDERR "cannot read '$file': $!\n" and exit 2;
while ( my $line = <$lines> ) {
    chomp $line;
    $line =~ s/^\xEF\xBB\xBF// if $. == 1;    # a byte-order mark
    next if $line eq '';
    my ( $order_id, $amount ) = split /,/, $line;
    defined $amount or print STDERR "line $. is not an order\n" and exit 2;
    push @expected, { order_id => $order_id, amount => $amount };
}
@expected or print STDERR "no orders in $file\n" and exit 2;

sub verdict {
    my ( $expected, $result ) = @_;
    if ( my $error = $result->{error} ) {
        # With wrong credentials, nothing is known about the order: ask again later.
        return $error->name eq 'PAYORDER_REJECTED' ? 'refused' : 'no_answer';
    }
    my $payment = eval { Payorder::verify_payment( $expected, $result->{status} ) };
    defined $payment or return 'cannot be checked';    # such as an amount with a space
    return $payment->paid ? 'matched' : join ' ', map { $_->{check} } $payment->reasons;
}

my $summary = Payorder->from_env->get_statuses(
    [ map { $_->{order_id} } @expected ],
    sub {
        my ($result) = @_;
        my $expected = $expected[ $result->{index} ];
        my $verdict  = verdict( $expected, $result );
        $differ++ if $verdict ne 'matched';
        print join( ',', @$expected{qw(order_id amount)}, $verdict ), "\n";
    },
    concurrency     => 16,
    rate_per_second => 200
);
print STDERR 'asked for ', $summary->asked, " orders\n";
exit( $differ ? 6 : 0 );
