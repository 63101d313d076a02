package Payorder::Testing;

use strict;
use warnings;
use Payorder;

sub checkout {
    my ($url) = @_;
    return Payorder::Checkout->new( _result( data => { url => $url } ) );
}

sub status {
    my (%fields) = @_;
    my $date    = delete $fields{transaction_date};
    my $data    = Payorder::_wire( \%fields );
    my $done    = ( $data->{transactionStatus} // '' ) eq 'Completed';
    my %derived = ( completed => $done ? JSON::PP::true : JSON::PP::false, transactionDate => $date );
    return Payorder::Status->new( _result( data => $data, derived => \%derived ) );
}

sub error {
    my ( $class, $message, %more ) = @_;
    my $known  = \%Payorder::Constants::ERROR_CLASSES;
    my $result = ( grep { "Payorder::$known->{$_}" eq $class } keys %$known )[0] // 100;
    return $class->new(
        Payorder::_own_error( $result, 'rule_broken', 'none', $message, %{ Payorder::_wire( \%more ) } )
    );
}

sub _result { return JSON::PP->new->encode( { responseCode => '200', responseMessage => 'Success', @_ } ) }

1;

__END__

=encoding utf8

=head1 NAME

Payorder::Testing - results and errors for the tests of a program, without a service

=head1 SYNOPSIS

    my $checkout = Payorder::Testing::checkout('https://pay.example.com/1');
    my $status   = Payorder::Testing::status( order_id => 'O-1', transaction_status => 'Completed' );
    my $error    = Payorder::Testing::error( 'Payorder::ConnectionLostError', 'lost',
        status_query => { orderId => 'O-1' } );

=cut
