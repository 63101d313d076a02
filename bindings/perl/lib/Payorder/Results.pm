package Payorder::Results;

# The classes of results and errors. Each object has `raw`, the library's JSON text, also with
# fields that this version does not know.

use strict;
use warnings;
use JSON::PP ();
use Payorder::Callbacks ();
use Payorder::Constants;
use Payorder::Library ();
use Payorder::Text ();

# ---- Reading ----

package Payorder::Reading;

# A closure, because Data::Dumper and debuggers show what is in a hash: the customer's data.
sub new {
    my ( $class, $raw, %more ) = @_;
    my %members = ( raw => $raw, document => _parsed($raw), %more );
    return bless sub { $members{ $_[0] } }, $class;
}

sub _parsed {
    my ($raw) = @_;
    return Payorder::Callbacks::_try( sub { JSON::PP->new->max_depth(1000)->decode($raw) } );
}

sub raw { return $_[0]->('raw') }

# What is at a path of the text. If Perl cannot parse it, the library reads it.
sub at {
    my ( $self, @path ) = @_;
    my $value = $self->('document');
    return Payorder::Library::_member( $self->raw, join '/', '', @path ) if !defined $value;
    for my $key (@path) {
        return undef if ref $value ne 'HASH';
        $value = $value->{$key};
    }
    return $value;
}

sub is_true {
    my ( $self, @path ) = @_;
    my $value = $self->at(@path);
    return defined $value && ( ref $value ? $value : $value eq 'true' ) ? 1 : 0;
}

# The name in Perl of a name of the service.
sub _perl_name {
    my ($name) = @_;
    $name =~ s/URL$/_url/;
    $name =~ s/([A-Z])/_\l$1/g;
    return $name;
}

# Defines a method for each key, which calls a function with the object and the key.
sub _define {
    my ( $class, $read, @keys ) = @_;
    for my $key (@keys) {
        my $name = _perl_name($key);
        no strict 'refs';    ## no critic
        *{"${class}::$name"} = sub { $read->( $_[0], $key ) };
    }
    return;
}

my $top = sub { $_[0]->at( $_[1] ) };

# ---- Results ----

package Payorder::Checkout;
our @ISA = 'Payorder::Reading';
Payorder::Reading::_define( __PACKAGE__, $top, qw(responseCode responseMessage) );
sub url { return $_[0]->at( 'data', 'url' ) }

package Payorder::Status;
our @ISA = 'Payorder::Reading';
Payorder::Reading::_define( __PACKAGE__, $top, qw(responseCode responseMessage) );
Payorder::Reading::_define(
    __PACKAGE__,
    sub { $_[0]->at( 'data', $_[1] ) // '' },
    @Payorder::Constants::STATUS_DATA
);

# The service's own text.
sub transaction_date_text { return $_[0]->at( 'data', 'transactionDate' ) // '' }

# Such as 2026-11-21T14:05:06, without a time zone; undef if the text is not a date.
sub transaction_date { return $_[0]->at( 'derived', 'transactionDate' ) }

# Whether transaction_status is "Completed". This does not prove the payment.
sub completed { return $_[0]->is_true( 'derived', 'completed' ) }

package Payorder::Waited;
our @ISA = 'Payorder::Reading';

# This does not mean paid.
sub final     { return $_[0]->is_true('final') }
sub timed_out { return $_[0]->is_true('timedOut') }
sub polls     { return $_[0]->at('polls') }

# The last status seen, or undef.
sub status {
    my ($self) = @_;
    my $raw = Payorder::Library::_member( $self->raw, '/status' );
    return defined $raw ? Payorder::Status->new($raw) : undef;
}

# The error of the last query, or undef.
sub error {
    my ($self) = @_;
    my $raw = Payorder::Library::_member( $self->raw, '/error' );
    return undef if !defined $raw;
    return Payorder::Error->of( Payorder::Library::_member( $raw, '/result' ), qq({"error":$raw}) );
}

package Payorder::ReturnUrl;
our @ISA = 'Payorder::Reading';
Payorder::Reading::_define( __PACKAGE__, $top, qw(transactionId statusQuery) );

package Payorder::Verification;
our @ISA = 'Payorder::Reading';
use overload 'bool' => sub { $_[0]->paid }, fallback => 1;

sub paid { return $_[0]->is_true('paid') }

# Every check that failed: hashes with check, expected and actual.
sub reasons      { return @{ $_[0]->at('reasons') } }
sub unverifiable { return @{ $_[0]->at('unverifiable') } }

# ---- Hashes of the library with methods ----

package Payorder::Fields;

sub read {    ## no critic
    my ( $class, $fields ) = @_;
    return bless {%$fields}, $class;
}

my $field = sub { $_[0]{ $_[1] } };

package Payorder::Summary;
our @ISA = 'Payorder::Fields';
Payorder::Reading::_define( __PACKAGE__, $field, @Payorder::Constants::SUMMARY );
sub stopped { return $_[0]{stopped} ? 1 : 0 }

package Payorder::JournalEntry;
our @ISA = 'Payorder::Fields';
Payorder::Reading::_define( __PACKAGE__, $field, @Payorder::Constants::ENTRY );

sub status_query { return { searchType => '1', orderId => $_[0]{orderId} } }

# ---- Errors ----

package Payorder::Error;
our @ISA = 'Payorder::Reading';
use overload
    '""'     => sub { $_[0]->message . ' (' . $_[0]->name . ')' },
    bool     => sub {1},
    fallback => 1;

Payorder::Reading::_define(
    __PACKAGE__,
    sub { $_[0]->at( 'error', $_[1] ) },
    @Payorder::Constants::ERROR
);

# How many seconds the service asked to wait, or undef.
sub retry_after {
    my $time = $_[0]->retry_after_ms;
    return defined $time ? $time / 1000 : undef;
}

# What to give to get_status next; undef if there is nothing to ask.
sub status_query { return $_[0]->_object('statusQuery') }

# With a DuplicateError: the journal's entry as a hash.
sub previous { return $_[0]->_object('previous') }

# Hashes with field (the service's name), rule and message.
sub violations { return @{ $_[0]->_object('violations') // [] } }

# The last status that a failed wait saw, or undef.
sub status {
    my ($self) = @_;
    my $raw = Payorder::Library::_member( $self->raw, '/error/status' );
    return defined $raw ? Payorder::Status->new($raw) : undef;
}

sub _object {
    my ( $self, $key ) = @_;
    my $value = $self->at( 'error', $key );
    return defined $value && !ref $value ? Payorder::Reading::_parsed($value) : $value;
}

sub _outcome_class {
    my ($result) = @_;
    return
          $result >= 1   && $result <= 99  ? 'Payorder::NotSentError'
        : $result >= 100 && $result <= 199 ? 'Payorder::RejectedError'
        :                                    'Payorder::OutcomeUnknownError';
}

# The error of a result. The range of an unknown number decides.
sub of {
    my ( $class, $result, $raw, %more ) = @_;
    my $known = $Payorder::Constants::ERROR_CLASSES{$result};
    return ( $known ? "Payorder::$known" : _outcome_class($result) )->new( $raw, %more );
}

{
    no strict 'refs';    ## no critic
    @{"Payorder::${_}::ISA"} = 'Payorder::Error'
        for qw(NotSentError RejectedError OutcomeUnknownError UnusableTextError);
    @{"Payorder::$Payorder::Constants::ERROR_CLASSES{$_}::ISA"} = _outcome_class($_) for keys %Payorder::Constants::ERROR_CLASSES;
}

# A started call that has ended: the number that `start` returned, and its error.
package Payorder::Ended;
our @ISA = 'Payorder::Fields';
Payorder::Reading::_define( __PACKAGE__, $field, qw(id error) );

# What the blocking method would have returned, or died with.
sub value { return $_[0]{value} // die $_[0]{error} }

# There is no library that this package can use.
package Payorder::LibraryError;
our @ISA = 'Payorder::InvalidConfigError';

sub because {
    my ( $class, $message ) = @_;
    return $class->new(
        Payorder::Text::_own_error(
            Payorder::Result::INVALID_CONFIG(), Payorder::Cause::UNREADABLE_FILE(),
            Payorder::Action::FIX_CONFIGURATION(), $message
        )
    );
}

# A signal handler of the program died while create_order was running, and the order may exist. The
# rest of the error is the library's, if the call failed. Or it died when start had begun the call.
package Payorder::OrderInterrupted;
our @ISA = 'Payorder::CancelledInFlightError';

sub made {
    my ( $class, $text, $query, $checkout, $outside ) = @_;
    my %more = ( checkout => $checkout, outside => $outside );
    my $told = Payorder::Error->new( $text // '' )->message;
    return $class->new(
        Payorder::Library::_changed( $text, '/error/message', "interrupted: $told" ), %more )
        if defined $told;
    my $what = $checkout ? 'after the order was created; send the customer to ' . $checkout->url
        : 'and the order may exist: ask Get Status by order id before trying again';
    return $class->_own( "interrupted, $what", $query, %more );
}

sub started {
    my ( $class, $id, $query, $outside ) = @_;
    my $what = "interrupted when the order was started: take gives the answer of call $id";
    return $class->_own( $what, $query, id => $id, outside => $outside );
}

sub _own {
    my ( $class, $message, $query, %more ) = @_;
    my @about = ( operation => 'create_order', statusQuery => $query );
    my $raw = Payorder::Text::_own_error( 204, 'cancelled', 'ask_status', $message, @about );
    return $class->new( $raw, %more );
}

# The number of the call, if it was started.
sub id { return $_[0]->('id') }

# The checkout, if the order was created.
sub checkout { return $_[0]->('checkout') }

# What the handler died with.
sub outside { return $_[0]->('outside') }

1;
