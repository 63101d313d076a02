package Payorder;

# The documentation is at the end of this file.

use 5.020;
use strict;
use warnings;
our $VERSION = '0.1.0';

use JSON::PP ();
use Payorder::Callbacks qw(_deferring _run _uninterrupted);
use Payorder::Cancellation;
use Payorder::Constants;
use Payorder::Library qw(_c _call _closure _take _text_at _uninterrupted_call);
use Payorder::Results;
use Payorder::Text
    qw(_json _named _options _own_error _plain_text _query _unusable _usable _wire);
use POSIX ();
use Scalar::Util qw(blessed refaddr reftype);
use Time::HiRes ();

my $json = JSON::PP->new->allow_nonref;

# The idle function, the signals that wait during a call, and what the library calls for both.
my ( $idle, $waiting, $closure );

# Whether the idle function runs: what it calls does not run it.
our $idling;

# The library has an idle function for each thread.
sub CLONE { ( $idle, $waiting, $closure ) = () }

# ---- Calls ----

sub _options_text {
    my ( $name, @options ) = @_;
    return _usable(
        'Payorder::InvalidArgumentError',
        $name,
        sub {
            my %options      = %{ _named(@options) };
            my $cancellation = delete $options{cancellation};
            _unusable( 'cancellation is not a Payorder::Cancellation',
                Payorder::Cause::INVALID_VALUE )
                if defined $cancellation
                && !( blessed $cancellation && $cancellation->isa('Payorder::Cancellation') );
            my $given = _options( \%options );
            $given->{cancellation} = $cancellation->{token} if defined $cancellation;
            return _json( $given, 'options' );
        }
    );
}

# Makes a call on a client, and returns the library's text or dies with its error.
#
# A signal handler that dies would lose the result. So handlers wait until the result is safe, and
# what one dies with becomes an OrderInterrupted, until the program has the result. A signal that is
# to end something cancels the call.
sub _make {
    my ( $self, $name, $arguments, $options, %more ) = @_;
    my $query = $more{query};
    my $text  = _options_text( $name, @$options );
    my $log   = $self->{log};    # stays alive if the program replaces it during the call
    my ( $result, $answer, $checked, $error );
    local $SIG{__DIE__} = my $die = $SIG{__DIE__};
    my @thrown = _deferring( sub {
        my ( $signals, $any ) = @_;
        my @each  = @{ $more{each} || [] };
        my $outer = $waiting;
        _watch($signals) if $any;
        $checked = eval {
            ( $result, $answer )
                = _call( $name, [ $self->{client}, @$arguments, $text, @each ] );
            $more{then}->( _checked( $name, $result, $answer, $query ) );
        };
        $error = $@ || _lost( $name, $query ) if !defined $checked;
        _watch($outer) if $any;
        my $interrupted
            = sub { Payorder::OrderInterrupted->made( $answer, $query, $checked, @_ ) };
        $SIG{__DIE__} = _replacing( $die, $interrupted, $error )
            if $name eq 'create_order' && ( !$result || $result >= 200 );
    } );
    die $thrown[0] if @thrown;
    die $error if !defined $checked;
    return $checked;
}

# For the statements between the end of a call and the end of its function, after each of which a
# handler can run: what that dies with becomes an OrderInterrupted.
sub _replacing {
    my ( $die, $interrupted, $error ) = @_;
    my $made;
    return sub {
        my ($thrown) = @_;
        # A handler may die with the error of another call. Perl raises again what it died with.
        $thrown = $made = $interrupted->($thrown)
            if !ref $thrown || !grep { ref && refaddr $_ == refaddr $thrown } $error, $made;
        $die->($thrown) if ref $die;
        die $thrown;
    };
}

sub _checked {
    my ( $name, $result, $text, $query ) = @_;
    my $error = _failure(@_);
    die $error if $error;
    return $text;
}

# The error of a call, or undef.
sub _failure {
    my ( $name, $result, $text, $query ) = @_;
    return _lost( $name, $query ) if !defined $text;
    return undef                  if $result == 0;
    my @asked = $name eq 'create_order' ? () : ( asked => $query );
    return Payorder::Error->of( $result, $text, @asked );
}

sub _lost {
    my ( $name, $query ) = @_;
    my %more = ( operation => $name, $query ? ( statusQuery => $query ) : () );
    return Payorder::InternalInFlightError->new(
        _own_error(
            Payorder::Result::INTERNAL_IN_FLIGHT, Payorder::Cause::NO_RESOURCES,
            Payorder::Action::ASK_STATUS, 'the result of the call cannot be read', %more
        )
    );
}

# What a function died with may have no text, and a handler of warnings may die.
sub _warn {
    my ( $what, $died ) = @_;
    return _run( sub { warn "payorder: $what: $died" } );
}

sub set_idle {
    ($idle) = @_;
    return _watch($waiting);
}

# Lets the library call the closure during a call, for the idle function and to see the signals that
# wait. The closure lives on: a running call has it, even if its function sets another one.
sub _watch {
    ($waiting) = @_;
    $closure //= _closure(
        sub {
            return 1 if grep {/^(?:ALRM|HUP|INT|QUIT|TERM)$/} @{ $waiting || [] };
            return _cancels();
        }
    );
    _c('set_idle')->call( $idle || $waiting ? $closure : undef, undef );
    return;
}

# Runs the idle function, and gives 1 if it cancels.
sub _cancels {
    return 0 if $idling || !$idle;
    local $idling = 1;
    my ( $current, $cancels ) = ( $idle, 1 );
    my $died = _run( sub { $cancels = ( $current->() // '' ) eq 'cancel' ? 1 : 0 } );
    _warn( 'the idle function died', $died ) if defined $died;
    return $cancels;
}

# ---- The client ----

sub new { return _create( client_new => @_ ) }

sub from_env { return _create( client_from_env => @_ ) }

sub _config {
    my @config = @_;
    return _usable( 'Payorder::InvalidConfigError', undef,
        sub { _json( _options(@config), 'the configuration' ) } );
}

sub _create {
    my ( $create, $class, @given ) = @_;
    my %config = _usable( 'Payorder::InvalidConfigError', undef, sub { %{ _named(@given) } } );
    my $log    = delete $config{log};
    my $text   = _config( \%config );
    my $self   = _uninterrupted( sub {
        my $client;
        my ( $result, $error ) = _call( $create => [ $text, \$client ] );
        die Payorder::Error->of( $result, $error ) if $result != 0;
        my $made = bless { client => $client, process => 0 }, $class;
        $made->{owner} = refaddr $made;
        return $made;
    } );
    $self->set_log($log) if $log;
    return $self;
}

# Replaces credentials: attempts that begin later use the new ones.
sub set_credentials {
    my ( $self, @credentials ) = @_;
    my @arguments = ( $self->{client}, _config(@credentials) );
    my ( $result, $error ) = _uninterrupted_call( client_set_credentials => \@arguments );
    die Payorder::Error->of( $result, $error ) if $result != 0;
    return;
}

# What calls that can be started make of the library's text.
my %READ = (
    create_order     => sub { Payorder::Checkout->new(@_) },
    get_status       => sub { Payorder::Status->new(@_) },
    wait_for_payment => sub { Payorder::Waited->new(@_) },
    recover          => sub { _found( @_, qw(refusal sales) ) },
    check            => sub { $json->decode( $_[0] ) },
    journal_resolve  => sub { return { %{ _found( @_, 'refusal' ) }, entries => _entries(@_) } },
);

# Those that have only options.
my %WITHOUT_REQUEST = ( journal_resolve => 1, check => 1 );

sub _found {
    my ( $text, @keys ) = @_;
    my $read = $json->decode($text);
    return {
        summary        => Payorder::Summary->read( $read->{summary} ),
        other_services => $read->{otherServices},
        map { ( $_ => $read->{$_} ) } @keys
    };
}

# The request of such a call as text, and the query that its error asks again.
sub _request {
    my ( $self, $name, $value ) = @_;
    return if $WITHOUT_REQUEST{$name} || ( $name eq 'recover' && !$value );
    return $self->_text( $name, $value, 'the sales' ) if $name eq 'recover';
    if ( $name eq 'create_order' ) {
        my $text = $self->_text( $name, $value, 'the order' );
        my $id   = ( reftype($value) // '' ) eq 'HASH' && _wire($value)->{orderId};
        return ( $text, { searchType => '1', orderId => $id } );
    }
    $value = _query($value);
    return ( $self->_text( $name, $value, 'the query' ), $value );
}

# The methods of these names make the call, and wait for it.
for my $name ( keys %READ ) {
    no strict 'refs';    ## no critic
    *$name = sub {
        my ( $self, @given ) = @_;
        my @value = $WITHOUT_REQUEST{$name} ? () : shift @given;
        my ( $text, $query ) = $self->_request( $name, @value );
        return $self->_make( $name, [ map {$text} @value ], \@given,
            query => $query, then => $READ{$name} );
    };
}

# Puts a call into the client's queue. It runs on a thread of the library, so it gets no log.
sub start {
    my ( $self, $name, @given ) = @_;
    my $value = $WITHOUT_REQUEST{$name} ? undef : shift @given;
    my ( $text, $query ) = $self->_request( $name, $value );
    my $options = _options_text( $name, @given );
    my $id      = ++$self->{last};
    my $started = $self->_started;
    my ( $result, $error );
    local $SIG{__DIE__} = my $die = $SIG{__DIE__};
    my @thrown = _deferring( sub {
        my $client = $self->{client};
        _c('client_set_log')->call( $client, undef, undef ) if $self->{log};
        ( $result, $error ) = _call( start => [ $client, $name, $text, $options, undef, $id ] );
        _c('client_set_log')->call( $client, $self->{log}, undef ) if $self->{log};
        return if $result != 0;
        $started->{$id} = { name => $name, query => $query };
        my $interrupted = sub { Payorder::OrderInterrupted->started( $id, $query, @_ ) };
        $SIG{__DIE__} = _replacing( $die, $interrupted ) if $name eq 'create_order';
    } );
    die $thrown[0] if @thrown;
    return $id     if $result == 0;
    _checked( $name, $result, $error, $query );
}

# In a forked child there are none.
sub _started {
    my ($self) = @_;
    @$self{qw(started process place ended)} = ( {}, $$, { taken => 0 } ) if $self->{process} != $$;
    return $self->{started};
}

# A signal handler may die after any statement. The answer stays in the client until the last one.
sub take {
    my ( $self, $wait ) = @_;
    my $until   = Time::HiRes::time() + ( $wait // 0 );
    my $started = $self->_started;
    my $place   = $self->{place};
    until ( $self->{ended} ) {
        if ( $place->{taken} ) { $self->_end; next }
        return if $self->{closing} && !%$started;
        my $client = $self->{closing} // $self->{client};
        my ( $result, $error ) = _uninterrupted( sub {
            my $got = _c('take_done')->call( $client, 0, \( @$place{qw(taken result text id)} ) );
            return ( $got, $got != 0 ? _take( $place->{text} ) : undef );
        } );
        die Payorder::Error->of( $result, $error ) if $result != 0;
        next if $place->{taken};
        my $left = $until - Time::HiRes::time();
        return if $left <= 0 || ( $self->{stopped} && !%$started );
        # After a stop, the idle function cannot hide the last answers.
        return if $self->_await($left) && !$self->{stopped};
    }
    $self->close if $self->{closing} && !%$started;
    return delete $self->{ended};
}

# Makes the object of the answer in its place. What dies here is a signal handler, perhaps with an
# error of another call: it is not the error of this one.
sub _end {
    my ($self) = @_;
    my ( $started, $place ) = @$self{qw(started place)};
    my ( $name, $query )    = @{ $started->{ $place->{id} } }{qw(name query)};
    my $text = _text_at( $place->{text} );
    utf8::decode($text);
    my $error = _failure( $name, $place->{result}, $text, $query );
    my $value = $error ? undef : $READ{$name}->($text);
    my %ended = ( id => $place->{id}, value => $value, error => $error );
    my $ended = Payorder::Ended->read( \%ended );
    _uninterrupted( sub {
        ( $self->{ended}, $place->{taken} ) = ( $ended, 0, delete $started->{ $place->{id} } );
        _c('string_free')->call( delete $place->{text} );
    } );
    return;
}

# Waits for an answer, and says whether the idle function ends the wait. Signal handlers run
# meanwhile. On Windows the handle is no descriptor.
sub _await {
    my ( $self, $seconds ) = @_;
    my $handle = $^O eq 'MSWin32' ? -1 : $self->done_handle;
    my $ready;
    vec( $ready, $handle, 1 ) = 1 if $handle >= 0;
    $seconds = 0.05 if $seconds > 0.05 && ( $idle || !$ready );
    return select( $ready, undef, undef, $seconds ) == 0 && _cancels();
}

sub done_handle {
    my ($self) = @_;
    return _c('done_handle')->call( $self->{closing} // $self->{client} );
}

# Calls `each` with a hash (index, query, status, error) for each query. If it returns 'stop', no
# more queries are sent. If it dies, neither, and the exception is raised at the end.
sub get_statuses {
    my ( $self, $queries, $each, @options ) = @_;
    my @given = @$queries;
    my @asked = map { _query($_) } @given;
    my $text  = $self->_text( get_statuses => \@asked, 'the queries' );
    my ( $ended, $died );
    my $closure = _closure(
        sub {
            my ( $index, $result, $raw ) = @_;
            return 0 if $ended;
            my $continue = 0;
            my $error = _run( sub {
                utf8::decode($raw);
                my $ok    = $result == 0;
                my @more  = ( asked => $asked[$index] );
                my %found = (
                    index  => $index,
                    query  => $given[$index],
                    status => $ok ? Payorder::Status->new($raw) : undef,
                    error  => $ok ? undef : Payorder::Error->of( $result, $raw, @more ),
                );
                $continue = ( $each->( \%found ) // '' ) ne 'stop' ? 1 : 0;
            } );
            $died  = [$error] if defined $error;
            $ended = !$continue;
            return $continue;
        }
    );
    my $summary = $self->_make( 'get_statuses', [$text], \@options, each => [ $closure, undef ],
        then => sub { Payorder::Summary->read( $json->decode(@_) ) } );
    die $died->[0] if $died;
    return $summary;
}

sub journal_list {
    my ( $self, @options ) = @_;
    my $entries = $self->_make( 'journal_list', [], \@options, then => \&_entries );
    return @$entries;
}

sub journal_settle {
    my ( $self, $entry, @options ) = @_;
    $entry = $entry->entry if blessed $entry;
    return $self->_make( 'journal_settle', [], [ entry => $entry, @options ],
        then => sub { Payorder::JournalEntry->read( $json->decode(@_) ) } );
}

sub journal_prune {
    my ( $self, @options ) = @_;
    return $self->_make( 'journal_prune', [], \@options,
        then => sub { $json->decode(@_)->{removed} } );
}

sub _entries {
    return [ map { Payorder::JournalEntry->read($_) } @{ $json->decode(@_)->{entries} } ];
}

sub _text {
    my ( $self, $operation, $value, $what ) = @_;
    return _usable( 'Payorder::InvalidArgumentError', $operation, sub { _json( $value, $what ) } );
}

# Sends each log event, as a hash, to a function; without one, to none. The function runs inside the
# call. If it dies, that is a warning: an order must not fail because a log cannot be written.
sub set_log {
    my ( $self, $function ) = @_;
    my $closure = $function && _closure(
        sub {
            my ($event) = @_;
            utf8::decode($event);
            my $error = _run( sub { $function->( $json->decode($event) ) } );
            _warn( 'the log function failed', $error ) if defined $error;
            return;
        }
    );
    # In the middle, the library has a function that nothing keeps.
    _uninterrupted( sub {
        _c('client_set_log')->call( $self->{client}, $closure, undef );
        $self->{log} = $closure;
    } );
    return;
}

sub cancel { return _end_calls( client_cancel => @_ ) }

sub stop {
    my ($self) = @_;
    _end_calls( client_stop => $self );
    $self->{stopped} = 1;
    return;
}

sub _end_calls {
    my ( $name, $self ) = @_;
    return if _c($name)->call( $self->{closing} // $self->{client} ) == 0;
    die Payorder::InvalidHandleError->new(
        _own_error( 2, Payorder::Cause::CLIENT_FREED, 'fix_request', 'the client is closed' ) );
}

sub close {    ## no critic
    my ($self) = @_;
    my $client = $self->{closing} // $self->{client};
    @$self{qw(closing client)} = ( $client, undef );
    _c('client_free')->call($client) if !%{ $self->_started };
    return;
}

sub DESTROY {
    my ($self) = @_;
    my $client = $self->{closing} // $self->{client};
    _c('client_free')->call($client)
        if ${^GLOBAL_PHASE} ne 'DESTRUCT' && defined $client && $self->{owner} == refaddr $self;
    return;
}

# A thread of Perl does not get a copy. One of Storable is not the owner.
sub CLONE_SKIP { return 1 }

# ---- Functions that do not use the network ----

sub _offline {
    my ( $name, $code ) = @_;
    my @arguments = _usable( 'Payorder::UnusableTextError', undef, $code );
    my ( $result, $text ) = _uninterrupted_call( $name, \@arguments );
    die Payorder::UnusableTextError->new($text) if $result != 0;
    return $text;
}

sub build_create_order {
    my ( $order, @options ) = @_;
    return _offline(
        build_create_order => sub {
            my $text = _json( $order, 'the order' );
            return ( $text, _json( _options(@options), 'options' ) );
        }
    );
}

sub build_get_status {
    my ($query) = @_;
    return _offline( build_get_status => sub { _json( _query($query), 'the query' ) } );
}

sub parse_return_url {
    my ($url) = @_;
    return Payorder::ReturnUrl->new(
        _offline( parse_return_url => sub { _plain_text( $url, 'the URL' ) } ) );
}

sub verify_payment {
    my ( $expected, $status ) = @_;
    my $text = blessed $status && $status->can('raw') ? $status->raw : $status;
    return Payorder::Verification->new(
        _offline(
            verify_payment => sub {
                my $wire = _wire($expected);
                $wire->{notBefore} = POSIX::strftime( '%FT%TZ', gmtime $wire->{notBefore} )
                    if ref $wire eq 'HASH' && ( $wire->{notBefore} // '' ) =~ /^\d{10,}(\.\d+)?$/;
                my $json = _json( $wire, 'what was expected' );
                return ( $json, _plain_text( $text, 'the status' ) );
            }
        )
    );
}

sub version { return _c('version')->call }

sub live_counters {
    return { map { ( $_ => _c("live_$_")->call ) } qw(clients strings calls) };
}

1;

__END__

=encoding utf8

=head1 NAME

Payorder - creates payment orders and reads their status, with the C library libpayorder

=head1 SYNOPSIS

    use Payorder;

    my $client   = Payorder->from_env;    # PAYORDER_BASE_URL, PAYORDER_ACCESS_TOKEN and others
    my $checkout = eval { $client->create_order( \%order ) };
    if ( my $error = $@ ) {
        die "this call sent nothing: $error"  if $error->isa('Payorder::NotSentError');
        die "the service says: $error"  if $error->isa('Payorder::RejectedError');
        print $client->get_status($error)->transaction_status;    # the order may exist
    }

=head1 METHODS

The keys of configurations, orders and options are those of F<docs/configuration.md> in snake_case.
Configurations and options may be a list, or a hash reference.
Numbers of options may be any scalar, and booleans are 1 or 0; amounts and identifiers are texts: a
number is refused, and so are bytes of UTF-8 that are not decoded. C<cancellation> is a
C<Payorder::Cancellation>.

=head2 new( %config ), from_env( %config )

A client. C<from_env> takes the settings of the environment; what is given wins. C<log> is a
function for log events.

=head2 create_order( \%order, %options )

Creates an order, and returns a C<Payorder::Checkout> with its C<url>. It sends the order once.
Options: C<resend>, C<extra_fields>, C<timeout> (seconds), C<cancellation> and the credentials.

=head2 get_status( $query, %options )

Returns a C<Payorder::Status>. A query is an order id, a hash with C<order_id> or
C<transaction_id>, or an object with a C<status_query>, such as an error.

=head2 wait_for_payment( $query, %options )

Asks until the payment is final or the time is up. Returns a C<Payorder::Waited> with C<status>,
C<error>, C<final>, C<timed_out> and C<polls>. Options: C<wait>, C<interval>
and C<max_interval> (seconds), and C<final>.

=head2 start( $name => @arguments ), take( $wait ), done_handle

C<start> puts a call into the client's queue and returns its number at once, with the name and the
arguments of C<create_order>, C<get_status>, C<wait_for_payment>, C<recover>, C<journal_resolve> or
C<check>. The log function gets no events of it. If a signal handler dies when an order was started,
C<start> dies with a C<Payorder::OrderInterrupted> that has its number as C<id>. C<take> returns the
next call that has ended, a C<Payorder::Ended> with C<id>, C<value>, which dies as the method would
have, and C<error>; or undef after so many seconds, or if the idle function cancels: it ends only
this wait. C<done_handle> is a descriptor that is readable when there is an answer.

=head2 get_statuses( \@queries, \&each, %options )

Calls the function with a hash (C<index>, C<query>, C<status>, C<error>) for each query, and returns
a C<Payorder::Summary>. If the function returns C<'stop'> or dies, no more queries are sent.
Options: C<concurrency> and C<rate_per_second>.

=head2 recover( \@sales, %options )

After a start: a hash with C<sales>, C<summary>, C<other_services>, and C<refusal>, the service's
words if it refused every query of two or more. C<sales> has a hash with a C<verdict> for each open
sale: those of the journal, and those that are given (hashes with C<order_id> and C<amount>, or
undef).

=head2 check( %options )

Says step by step what works on a machine: a hash with C<ok> and C<steps>, hashes with C<step>,
C<ok>, C<elapsedMs>, C<message>, C<details>, C<cause> and C<action>. It asks for one status, that of
the option C<order_id>, and creates no order.

=head2 journal_list, journal_resolve, journal_settle( $entry ), journal_prune

The journal: see F<docs/journal.md>. C<journal_list> returns C<Payorder::JournalEntry> objects, and
C<journal_resolve> a hash with C<summary>, C<entries>, those that are still unresolved,
C<other_services>, and C<refusal> as in C<recover>.

=head2 set_credentials( %credentials ), set_log( \&log ), cancel, stop, close

C<cancel> ends all calls in flight; after C<stop> later calls send nothing either. C<close> frees
the client, as its last reference does. Calls that were started go on after C<close>, and C<take>
gives their answers.

=head1 FUNCTIONS

These use no network, and die with a C<Payorder::UnusableTextError>.

=head2 verify_payment( \%expected, $status )

Whether an order is paid: a C<Payorder::Verification> with C<paid>, C<reasons> and
C<unverifiable>. Nothing else proves a payment. C<%expected> has C<order_id>, C<amount> and perhaps
C<transaction_id> and C<not_before>, when the sale began: seconds since 1970, as of C<time>, or text
in RFC 3339. The status is one of this package, or the service's response as JSON text.

=head2 parse_return_url( $url )

What the customer's return URL names: C<transaction_id> and C<status_query>.

=head2 build_create_order( \%order, %options ), build_get_status( $query )

The body that a call would send.

=head2 set_idle( \&idle )

Calls a function about every 50 ms while a call or C<take> waits; undef ends that. If it returns
C<'cancel'>, dies or leaves with C<last>, the call is cancelled.

=head2 version, live_counters

The version of the library, and what it has in use.

=head1 ERRORS

All are subclasses of C<Payorder::Error>: see F<README.md>. After a C<Payorder::NotSentError> nothing
was sent. A C<Payorder::RejectedError> says why the service refused. After a
C<Payorder::OutcomeUnknownError> the order may exist: give the error to C<get_status> before anything
else. L<Payorder::Testing> makes results and errors without a service.

=head1 LICENSE

MIT or Apache-2.0.

=cut
