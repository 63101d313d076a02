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
    my $data    = Payorder::Text::_wire( \%fields );
    # verify_payment reads the service's form.
    my ( $year, $month, $day, $hour, $rest ) = ( $date // '' ) =~ /^(\d+)-(\d+)-(\d+)T(\d+)(.*)/;
    $data->{transactionDate} = sprintf '%s/%s/%s %02d%s %s', $month, $day, $year, $hour % 12 || 12,
        $rest, $hour < 12 ? 'AM' : 'PM'
        if defined $hour;
    my $done    = ( $data->{transactionStatus} // '' ) eq 'Completed';
    my %derived = ( completed => $done ? JSON::PP::true : JSON::PP::false, transactionDate => $date );
    return Payorder::Status->new( _result( data => $data, derived => \%derived ) );
}

# The end of a wait. If it is not final, the time ran out.
sub waited {
    my ( $status, %more ) = @_;
    my $final = $more{final} // ( $status && $status->completed );
    my ( $yes, $no ) = $final ? qw(true false) : qw(false true);
    my $seen   = $status      ? $status->raw                                      : 'null';
    my $failed = $more{error} ? Payorder::Library::_member( $more{error}->raw, '/error' ) : 'null';
    return Payorder::Waited->new(
        qq({"final":$yes,"timedOut":$no,"polls":1,"status":$seen,"error":$failed}));
}

# Of the classes that have no result of their own.
my %OTHER_RESULTS = (
    NotSentError       => Payorder::Result::INVALID_CONFIG,
    LibraryError       => Payorder::Result::INVALID_CONFIG,
    RejectedError      => Payorder::Result::REJECTED,
    OutcomeUnknownError => Payorder::Result::TIMEOUT,
    OrderInterrupted   => Payorder::Result::CANCELLED_IN_FLIGHT,
);

# An error with the cause and the action that its class usually has.
sub error {
    my ( $class, $message, %more ) = @_;
    my %results = ( %OTHER_RESULTS, reverse %Payorder::Constants::ERROR_CLASSES );
    my $result  = $results{ $class =~ s/^Payorder:://r } // Payorder::Result::INVALID_REQUEST;
    my $usual   = $Payorder::Constants::USUAL_CAUSES{$result};
    if ( my $previous = $more{previous} ) {
        my $kind = $previous->{url} ? 'url' : $previous->{state} // '';
        $usual = $Payorder::Constants::USUAL_CAUSES{$kind} // $usual;
        $more{previous} = Payorder::Text::_wire($previous);
        $more{status_query} //= { searchType => '1', orderId => $more{previous}{orderId} };
    }
    return $class->new(
        Payorder::Text::_own_error( $result, @$usual, $message, %{ Payorder::Text::_wire( \%more ) } ) );
}

sub _result { return JSON::PP->new->encode( { responseCode => '200', responseMessage => 'Success', @_ } ) }

1;

__END__

=encoding utf8

=head1 NAME

Payorder::Testing - results and errors for the tests of a program, without a service

=head1 FUNCTIONS

C<checkout( $url )>, C<status( %fields )>, C<waited( $status, error =E<gt> $error )> and
C<error( $class, $message, %more )>: see F<README.md>.

=cut
