use strict;
use warnings;
use utf8;
use Config;
use Cwd qw(abs_path);
use Data::Dumper;
use File::Basename qw(dirname);
use lib dirname(__FILE__) . '/../samples';
use File::Temp qw(tempdir);
use IO::Select;
use JSON::PP;
use Math::BigFloat;
use POSIX ();
use Storable ();
use Test::More;

# The statements of the package call DB::DB while $DB::single is 1.
BEGIN { $^P = 2 }
use Payorder;
BEGIN { $^P = 0 }
use Payorder::Testing;
use Till ();

plan skip_all => 'the settings that payorder-sandbox prints are not in the environment'
    if !$ENV{PAYORDER_BASE_URL};

my $home = abs_path( dirname(__FILE__) . '/..' );
binmode Test::More->builder->$_, ':utf8' for qw(output failure_output);
my $folder = tempdir( CLEANUP => 1 );

my $orders = 0;

sub new_order {
    my ( $info, %more ) = @_;
    $orders++;
    my $order = Till::new_order( "ORD-$$-$orders", '100.00' );
    return { %$order, product_info => $info // 'Tea', %more };
}

# Runs the code, which must die with the class. Gives the error.
sub fails {
    my ( $class, $code, $name ) = @_;
    my $lived = eval { $code->(); 1 };
    my $error = $@;
    isa_ok( $lived ? undef : $error, $class, $name // $class );
    return $error;
}

my $client = Payorder->from_env;

subtest 'names of Perl are accepted, and the words of the library stay' => sub {
    my $error = fails( 'Payorder::InvalidRequestError', sub { $client->get_status( {} ) } );
    like $_, qr/orderId/ for $error, map { $_->{message} } $error->violations;
    my $order = new_order();
    $client->create_order( $order, timeout => '30', client_id => 5, resend => '' );
    is $client->get_status( { order_id => $order->{order_id} } )->order_id, $order->{order_id};
    $error = fails( 'Payorder::RateLimitedError',
        sub { $client->create_order( new_order('sandbox:rate-limit') ) } );
    is $error->retry_after, 1;
    ok $client->wait_for_payment( 'none', wait => 0.0001, interval => 0.02 )->timed_out;
};

subtest 'results without a service, and what Data::Dumper shows of them' => sub {
    is( Payorder::Testing::checkout('https://x.example/1')->url, 'https://x.example/1' );
    my $status = Payorder::Testing::status(
        order_id       => '1',
        amount         => '2.00',
        transaction_id => 'T',
        customer_name  => 'Asha Rao',
        transaction_status => 'Completed'
    );
    ok $status->completed;
    my %expected = ( order_id => '1', amount => '2' );
    ok( Payorder::verify_payment( \%expected, $status )->paid );
    my $dated = Payorder::Testing::status( transaction_date => '2026-11-01T14:05:06' );
    is $dated->transaction_date_text, '11/01/2026 02:05:06 PM';
    ok grep { $_->{check} eq 'transactionDate' }
        Payorder::verify_payment( { %expected, not_before => 1795721400 }, $dated )->reasons;
    my $early = '{"responseCode":"200","data":{"transactionDate":"11/01/2026 02:05:06 PM"}}';
    my @reasons
        = Payorder::verify_payment( { %expected, not_before => 1795721400 }, $early )->reasons;
    ok grep { $_->{expected} eq '2026-11-26T19:30:00Z' } @reasons;
    fails( 'Payorder::UnusableTextError', # not a moment of 1970
        sub { Payorder::verify_payment( { %expected, not_before => '20261126' }, $early ) } );
    my $error = Payorder::Testing::error( 'Payorder::ConnectionLostError', 'lost',
        status_query => { orderId => '1' } );
    is_deeply [ $error->result, $error->status_query->{orderId}, "$error" ],
        [ 201, '1', 'lost (PAYORDER_CONNECTION_LOST)' ];
    isa_ok $error, 'Payorder::OutcomeUnknownError';
    is $error->action, 'ask_status';
    is( Payorder::Testing::error('Payorder::NotSentError')->outcome,      'not_sent' );
    is( Payorder::Testing::error('Payorder::UnauthorizedError')->outcome, 'rejected' );
    for my $kind ( [ use_previous => url => 'https://x.example/1' ], ['ask_status'] ) {
        my ( $action, @url ) = @$kind;
        my $twice = Payorder::Testing::error( 'Payorder::DuplicateError', 'sent before',
            previous => { order_id => '1', state => 'created', @url } );
        is_deeply [ $twice->cause, $twice->action, $twice->status_query->{orderId} ],
            [ 'order_already_sent', $action, '1' ];
    }
    my $paid = Payorder::Testing::waited($status);
    ok $paid->final && !$paid->timed_out && $paid->status->completed;
    my $late = Payorder::Testing::waited( undef, error => $error );
    ok !$late->final && $late->timed_out && $late->error->isa('Payorder::ConnectionLostError');
    is $status->customer_name, 'Asha Rao';
    unlike Dumper( $status, $client ), qr/Asha|sandbox-access-token/;
};

subtest 'the error of a query asks again' => sub {
    my $order = new_order('Tea');
    $client->create_order($order);
    eval { $client->get_status( $order->{order_id}, client_key => 'wrong' ) };
    isa_ok $@, 'Payorder::UnauthorizedError';
    is $client->get_status($@)->order_id, $order->{order_id};
    my ( $error, @asked );
    my @queries = ( $order->{order_id}, 'none' );
    my $each = sub { shift @queries; $error = $_[0]{error}; push @asked, $_[0]{query} };
    $client->get_statuses( \@queries, $each, client_key => 'wrong', concurrency => 1 );
    is_deeply \@asked, [ $order->{order_id}, 'none' ], 'the array may change meanwhile';
    is $error->('asked')->{orderId}, 'none';
    eval { $client->create_order( {} ) };
    my $unsent = $@;
    eval { $client->get_status($unsent) };
    like $@, qr/names no order: give get_status the order id/;
};

subtest 'text is UTF-8, or refused' => sub {
    my $body = Payorder::build_create_order( new_order("\x{e9}") );
    is( JSON::PP->new->decode($body)->{productInfo}, "\x{e9}" );
    my $error = fails( 'Payorder::InvalidArgumentError',
        sub { $client->create_order( new_order("\x{D800}") ) } );
    is $error->cause, Payorder::Cause::NOT_UTF8;
    like $error, qr/nothing was sent/;
    $error = fails( 'Payorder::InvalidArgumentError',
        sub { $client->create_order( new_order( 'Tea', customer_name => "\xC3\xA9" ) ) } );
    like $error, qr/customer_name has the bytes.*nothing was sent/;
    $error = fails( 'Payorder::InvalidArgumentError',
        sub { $client->create_order( new_order(), extra_fields => { udf1 => "\xC3\xA9" } ) } );
    like $error, qr/udf1 has the bytes/;
    like fails( 'Payorder::InvalidArgumentError',
        sub { $client->create_order( new_order( 'Tea', amount => Math::BigFloat->new(100) ) ) } ),
        qr/amount is a Math::BigFloat: give its text/;
    my $number  = 1e16;
    my $printed = "$number";
    for my $call (
        sub { $client->create_order( new_order( 'Tea', amount => $number ) ) },
        sub { $client->get_status($number) },
        )
    {
        like fails( 'Payorder::InvalidRequestError', $call ), qr/must be a string, not a number/;
    }
};

subtest 'what is given twice is refused' => sub {
    my $order = new_order();
    my %twice = ( %$order, orderId => 'B' );
    my %calls = (
        orderId   => sub { $client->create_order( \%twice ) },
        timeoutMs => sub { $client->create_order( $order, timeout => 5, timeout_ms => 1 ) },
    );
    for my $name ( sort keys %calls ) {
        like fails( 'Payorder::InvalidArgumentError', $calls{$name} ),
            qr/^$name is given twice; nothing was sent/;
    }
    like fails( 'Payorder::InvalidConfigError',
        sub { Payorder->from_env( base_url => 'http://a', baseUrl => 'http://b' ) } ),
        qr/^baseUrl is given twice/;
    like fails( 'Payorder::UnusableTextError',
        sub { Payorder::verify_payment( { order_id => '1', orderId => '2', amount => '1' }, '{}' ) } ),
        qr/^orderId is given twice/;
    ok $client->create_order( $order, timeout => 30, timeout_ms => undef )->url;
};

subtest 'options and settings are a list or a hash reference' => sub {
    my $cancelled = Payorder::Cancellation->new;
    $cancelled->cancel;
    my $till  = Payorder->from_env( { journal => "$folder/reference.db", max_calls => 1 } );
    my $order = new_order();
    my @given = ( $order, { cancellation => $cancelled } );
    fails( 'Payorder::CancelledError', sub { $till->create_order(@given) } );
    fails( 'Payorder::CancelledError',
        sub { $till->start( create_order => @given ); $till->take(60)->value } );
    fails( 'Payorder::UnauthorizedError',
        sub { $till->get_status( $order->{order_id}, { client_key => 'wrong' } ) } );
    ok $till->get_statuses( ['none'], sub { }, { cancellation => $cancelled } )->stopped;
    $till->set_credentials( { client_key => 'wrong' } );
    fails( 'Payorder::UnauthorizedError', sub { $till->get_status('none') } );
    $till->set_credentials( client_key => $ENV{PAYORDER_CLIENT_KEY} );
    $till->create_order($order);
    my ($entry) = $till->journal_list( { order_id => $order->{order_id} } );
    is $till->journal_settle( $entry, { note => 'cash' } )->note, 'cash';

    for my $odd ( ['timeout'], [ timeout => 5, undef ], [ { timeout => 5 }, 1 ] ) {
        my @calls = (
            sub { $till->create_order( new_order(), @$odd ) },
            sub { $till->start( create_order => new_order(), @$odd ) },
            sub { $till->get_statuses( ['none'], sub { }, @$odd ) },
            sub { $till->journal_list(@$odd) },
        );
        like fails( 'Payorder::InvalidArgumentError', $_ ),
            qr/^give options as names with values, or as a hash reference; nothing was sent/
            for @calls;
        fails( 'Payorder::InvalidConfigError', sub { Payorder->from_env(@$odd) } );
        fails( 'Payorder::InvalidConfigError', sub { $till->set_credentials(@$odd) } );
        fails( 'Payorder::UnusableTextError',
            sub { Payorder::build_create_order( new_order(), @$odd ) } );
    }
};

subtest 'what is no order and no cancellation is refused' => sub {
    my @calls = (
        [ qr/^the order must be a JSON object/ => [ 'ORD-1', '100.00' ] ],
        map {
            [ qr/^cancellation is not a Payorder::C\w+; nothing/, new_order(), cancellation => $_ ]
        } 'text', 1, 0, '', [], { token => 'text' }
    );
    for my $call (@calls) {
        my ( $message, @given ) = @$call;
        like fails( 'Payorder::InvalidArgumentError', $_ ), $message
            for sub { $client->create_order(@given) },
            sub { $client->start( create_order => @given ); $client->take(60)->value };
    }
};

subtest 'no other call clears the error of the last one' => sub {
    eval { $client->create_order( new_order('sandbox:drop-after-commit') ) };
    $client->take(0);
    $client->set_log(undef);
    Payorder::Cancellation->new;
    isa_ok $@, 'Payorder::ConnectionLostError';
};

sub Shop::Order::TO_JSON { return { %{ $_[0] } } }

subtest 'a stack trace shows nothing of what is in a hash reference' => sub {
    my $traces = '';
    my $trace  = sub { $traces .= Carp::longmess('') };
    local $SIG{__DIE__} = $trace;
    my $logged = Payorder->from_env( log => $trace );
    my %secret = ( access_token => 'SECRET', timeout => 5 );
    my %asha   = ( customer_name => 'SECRET' );
    my @calls  = (
        sub { Payorder->new( { %secret, journal => "\xC3\xA9.db" } ) },
        sub { Payorder->new( { %secret, unknown => 1 } ) },
        map {
            my %wrong = ( %secret, %$_ );
            ( sub { Payorder->new( \%wrong ) }, sub { $client->set_credentials( \%wrong ) },
                sub { $client->get_status( 'none', \%wrong ) } )
        } { accessToken => 'SECRET' }, { access_token => "SECRET\xC3\xA9" },
        { access_token => "SECRET\x{D800}" },
    );
    push @calls, sub { $client->create_order( \%asha, { %secret, resend => 'yes' } ) };
    push @calls, sub { $client->create_order( { customer_name => "SECRET\xC3\xA9" } ) };
    fails( 'Payorder::Error', $_ ) for @calls, sub { $logged->create_order( \%asha, \%secret ) };
    like $traces, qr/call_finished|HASH/;
    unlike $traces, qr/SECRET/;
};

subtest 'a boolean is 1 or 0' => sub {
    for my $text ( 'false', 'true', '00', "0\n" ) {
        like fails( 'Payorder::InvalidArgumentError',
            sub { $client->create_order( new_order(), resend => $text ) } ),
            qr/^resend is neither 1 nor 0; nothing was sent/;
        like fails( 'Payorder::InvalidConfigError',
            sub { Payorder->from_env( allow_insecure_http => $text ) } ),
            qr/^allow_insecure_http is neither 1 nor 0/;
    }
    for my $false ( 0, '0', '', !1, JSON::PP::false, undef ) {
        ok $client->create_order( new_order(), resend => $false )->url;
    }
    for my $true ( 1, '1', !0, JSON::PP::true ) {
        like fails( 'Payorder::InvalidArgumentError',
            sub { $client->create_order( new_order(), resend => $true ) } ),
            qr/needs a client with a journal/;
    }
};

subtest 'only the owner frees a client' => sub {
    my $cancellation = Payorder::Cancellation->new;
    undef $_ for map { Storable::dclone($_) } $client, $cancellation;
    # Each thread has its own idle function, and its signals end its calls.
    my $program = <<'END';
    open STDERR, '>&', \*STDOUT;
    use Till;
    use threads;
    my $runs = 0;
    my $sale = sub {
        my $client = Payorder->from_env( log => sub { $runs++ } );
        local $SIG{TERM} = sub { };
        my $order = Till::new_order( $_[0], '1.00' );
        eval { $client->create_order( { %$order, product_info => 'sandbox:stall' }, timeout => 0.5 ) };
        print ref $@, ' ';
        return $client;
    };
    Payorder::set_idle( sub { $runs++; return } ) if $ARGV[1];
    my $client = $sale->("$ARGV[0]-main");
    threads->create( sub { $sale->( "$ARGV[0]-" . threads->tid ) } )->join for 2, 3;
    threads->create( sub { Payorder::set_idle( sub { 'cancel' } ); $sale->("$ARGV[0]-own") } )->join;
    $sale->("$ARGV[0]-end");
    eval { $client->get_status('none') };
    print ref $@;
END
    for my $idle ( $Config{useithreads} ? ( 0, 1 ) : () ) {
        my @perl = ( $^X, "-I$home/lib", "-I$home/samples", '-MPayorder', '-e', $program );
        open my $out, '-|', @perl, "ORD-$$-thread-$idle", $idle or die;
        my $late = 'Payorder::ResponseTimeoutError';
        like join( '', <$out> ),
            qr/^$late $late $late Payorder::Cancelled\w+ $late Payorder::RejectedError$/;
        ok close $out, 'a program with threads ends well' or diag "status $?";
    }
    my $order = new_order();
    $client->create_order( $order, cancellation => $cancellation );
    my ( $asked, @seen ) = ( [ ( $order->{order_id} ) x 3 ] );
    for my $round ( 1, 2 ) {
        no warnings 'exiting';
        my $each = sub { push @seen, $round; last };
        ok $client->get_statuses( $asked, $each, concurrency => 1, rate_per_second => 1 )->stopped;
    }
    is "@seen", '1 2', 'last leaves no loop around the call';
};

subtest 'a result that Perl cannot parse keeps its checkout URL' => sub {
    no warnings 'redefine';
    local *Payorder::Reading::_parsed = sub { return undef };
    is $client->create_order( new_order() )->url =~ m{/checkout/}, 1;
    my $order = new_order('sandbox:drop-after-commit');
    my $error = fails( 'Payorder::ConnectionLostError', sub { $client->create_order($order) } );
    is $error->result, 201;
};

subtest 'an idle function before the first client loads the library' => sub {
    my $program = 'eval { Payorder::set_idle( sub { } ); 1 } or print ref $@';
    my $run     = "$^X -I$home/lib -MPayorder -e '$program'";
    is qx{$run 2>&1}, '';
    local $ENV{PAYORDER_LIBRARY} = "$folder/none.so";
    is qx{$run 2>&1}, 'Payorder::LibraryError';
};

subtest 'an idle function cancels a call' => sub {
    # Its third call comes when the order has left, about 100 ms after the first.
    my ( $calls, @warned ) = (0);
    Payorder::set_idle( sub { ++$calls == 3 ? 'cancel' : undef } );
    my $stalled = sub { $client->create_order( new_order('sandbox:stall') ) };
    fails( 'Payorder::CancelledInFlightError', $stalled );
    is $calls, 3;
    local $SIG{__WARN__} = sub { push @warned, @_ };
    Payorder::set_idle( sub { die "planted\n" if ++$calls == 6; return } );
    fails( 'Payorder::CancelledInFlightError', $stalled );
    like "@warned", qr/the idle function died: planted/;
    Payorder::set_idle( sub { Payorder::set_idle(undef) } );
    fails( 'Payorder::ResponseTimeoutError',
        sub { $client->create_order( new_order('sandbox:stall'), timeout => 0.3 ) } );
    is @warned, 1, 'it may end itself';

    my $till = Payorder->from_env;
    my $sale = $till->start( create_order => new_order('sandbox:stall'), timeout => 1 );
    $calls = 0;
    Payorder::set_idle( sub { $calls++; $till->take(0.2); 'cancel' } );
    is $till->take(60), undef, 'it ends a take';
    is $calls, 1;
    Payorder::set_idle( sub { $calls++; return } );
    is $till->take(60)->id, $sale, 'and not the call';
    cmp_ok $calls, '>', 5;
    $sale = $till->start( create_order => new_order('sandbox:stall') );
    $till->stop;
    Payorder::set_idle( sub { 'cancel' } );
    is $till->take(60)->id, $sale, 'after a stop it ends no take';
    Payorder::set_idle(undef);
};

subtest 'next and last in a function leave no loop around the call' => sub {
    no warnings 'exiting';
    my @ends;
    my $events = 0;
    my %leave  = ( bare => sub { next if ++$events }, label => sub { last SALE if ++$events } );
    local $SIG{__WARN__} = sub { };
SALE: for my $how ( sort keys %leave ) {
        my $till = Payorder->from_env( log => $leave{$how} );
        my $made = eval { $till->create_order( new_order() ) };
        push @ends, $made ? $made->url : $@;
    }
    is scalar( grep {m{/checkout/\d+$}} @ends ), 2, 'in a log function' or diag explain \@ends;
    cmp_ok $events, '>', 2;

    @ends = ();
SALE: for my $how ( sort keys %leave ) {
        Payorder::set_idle( $leave{$how} );
        my $order = new_order('sandbox:stall');
        push @ends, ref( eval { $client->create_order( $order, timeout => 2 ) } // $@ );
    }
    Payorder::set_idle(undef);
    is scalar( grep {/::Cancelled/} @ends ), 2, 'in an idle function' or diag explain \@ends;

    @ends = ();
    my $logged = Payorder->from_env(
        log => sub { kill ALRM => $$ if $_[0]{event} eq 'call_finished' } );
SALE: for my $how ( sort keys %leave ) {
        local $SIG{ALRM} = $leave{$how};
        push @ends, eval { $logged->create_order( new_order() ) } // $@->checkout;
    }
    is scalar( grep { $_->url } @ends ), 2, 'in a signal handler';
    is( Payorder::live_counters()->{calls}, 0 );
};

subtest 'a result that cannot be read is unknown' => sub {
    no warnings qw(once redefine);
    local *Payorder::Status::new = sub {undef};
    my $order = new_order();
    $client->create_order($order);
    my $error = fails( 'Payorder::InternalInFlightError',
        sub { $client->get_status( $order->{order_id} ) } );
    is $error->status_query->{orderId}, $order->{order_id};
};

# A function of the library, and then a signal.
sub Raising::call {
    my ( $function, @arguments ) = @_;
    my $result = $function->[0]->call(@arguments);
    POSIX::raise(POSIX::SIGALRM);
    return $result;
}

# An error that has no text, and cannot be compared.
package Unspeakable {
    use overload '""' => sub { die "planted\n" }, fallback => 1;
}

# The signal arrives at the end of this function, and Perl runs the handler after it.
my ( $alarm, $sigprocmask ) = ( POSIX::SigSet->new(POSIX::SIGALRM), \&POSIX::sigprocmask );
my $unblocked = POSIX::SigSet->new;

sub DB::DB {
    package DB;
    return if $DB::left-- != 0;
    ( $sigprocmask->( POSIX::SIG_BLOCK, $alarm, $unblocked ), POSIX::raise(POSIX::SIGALRM) );
    $sigprocmask->( POSIX::SIG_SETMASK, $unblocked );
}

subtest 'a signal handler that dies does not hide that the order may exist' => sub {
    local $SIG{ALRM} = sub { die "too late\n" };
    my $order = new_order('sandbox:stall');
    my $error = fails( 'Payorder::OrderInterrupted',
        sub { alarm 1; $client->create_order( $order, timeout => 1.5 ) } );
    is $error->outside, "too late\n";
    is $client->get_status($error)->order_id, $order->{order_id};

    # A handler that only takes note ends a wait, too.
    my $noted;
    local $SIG{TERM} = sub { $noted = 1 };
    for my $idle ( undef, sub { return } ) {
        Payorder::set_idle($idle);
        my $killer = fork // die;
        if ( !$killer ) {
            sleep 1;
            kill TERM => getppid;
            POSIX::_exit(0);
        }
        my $began = time;
        like fails( 'Payorder::Error', sub { $client->wait_for_payment( 'none', wait => 30 ) } )
            ->name, qr/^PAYORDER_CANCELLED/;
        waitpid $killer, 0;
        ok $noted && time - $began < 20;
    }
    Payorder::set_idle(undef);

    {
        local $SIG{__WARN__} = sub { die @_ };
        for my $thrown ( 'planted', bless {}, 'Unspeakable' ) {
            my $failing = Payorder->from_env( log => sub { die $thrown } );
            ok $failing->create_order( new_order() )->url, 'a warning that dies hides no checkout';
            for my $idle ( sub { die $thrown }, ref $thrown ? sub {$thrown} : () ) {
                Payorder::set_idle($idle);
                fails( 'Payorder::CancelledInFlightError',
                    sub { $client->create_order( new_order('sandbox:stall') ) } );
            }
        }
        Payorder::set_idle(undef);
    }
    my $logged = Payorder->from_env(
        log => sub { kill ALRM => $$ if $_[0]{event} eq 'call_finished' } );
    $error = fails( 'Payorder::OrderInterrupted', sub { $logged->create_order( new_order() ) } );
    like $error->checkout->url, qr{/checkout/\d+$};
    like $error, qr{/checkout/\d+};
    my $object = bless Payorder::Text::_wire( new_order() ), 'Shop::Order';
    $error = fails( 'Payorder::OrderInterrupted', sub { $logged->create_order($object) } );
    is $error->status_query->{orderId}, $object->{orderId};
    my $seen;
    local $SIG{ALRM} = sub { $seen = 1 };
    ok $logged->create_order( new_order() )->url, 'a handler that returns changes nothing';
    ok $seen;

    # At each statement after the order was created: the order is returned, or in the error.
    local $SIG{USR1} = sub { };
    my $till = Payorder->from_env( log => sub { $DB::single = $_[0]{event} eq 'call_finished' } );
    my $at_each_statement = sub {
        my ( $statements, %ends ) = (0);
        while ( !$ends{returned} ) {
            $DB::left = $statements++;
            my $made;
            eval { $made = $till->create_order( new_order() ) };
            my $error = $@;
            $DB::single = 0;
            my $in = ref $error && $error->isa('Payorder::OrderInterrupted') && $error->checkout
                && $error->outside =~ $_[0];
            $ends{ $made ? 'returned' : $in ? 'in the error' : $error }++;
        }
        is_deeply [ sort keys %ends ], [ 'in the error', 'returned' ] or diag explain \%ends;
        cmp_ok $statements, '>', 20;
    };
    local $SIG{ALRM} = sub { die "too late\n" };
    $at_each_statement->(qr/^too late$/);

    # What the library says stays in the error, also if Perl cannot parse it.
    my $journaled = Payorder->from_env(
        journal => "$folder/interrupted.db",
        log     => sub { kill ALRM => $$ if $_[0]{event} eq 'call_finished' }
    );
    my $sent  = new_order();
    my $parse = \&Payorder::Reading::_parsed;
    my $ask   = sub {
        my ( $made, $parsed, $handler ) = @_;
        no warnings 'redefine';
        local *Payorder::Reading::_parsed = $parsed;
        local $SIG{ALRM} = $handler;
        eval { $journaled->create_order( $made->() ) };
        my $error = $@;
        my %told = map { my $name = Payorder::Reading::_perl_name($_); ( $_ => $error->$name ) }
            grep { !/elapsedMs|requestId/ } @Payorder::Constants::ERROR;
        s{/checkout/\d+}{/checkout/} for grep {defined} values %told;
        return ( $error, \%told );
    };
    Payorder->from_env( journal => "$folder/interrupted.db" )->create_order($sent);
    for my $made ( sub { new_order('sandbox:refused-with-url') },
        sub { new_order('sandbox:http-500') }, sub {$sent} )
    {
        my ( $plain, $told ) = $ask->( $made, $parse, sub { } );
        for my $parsed ( $parse, sub { return undef } ) {
            my ( $interrupted, $kept ) = $ask->( $made, $parsed, sub { die "too late\n" } );
            is $interrupted->outside, "too late\n";
            like delete $kept->{message}, qr/^interrupted: .*order/;
            is_deeply $kept, { map { ( $_ => $told->{$_} ) } keys %$kept };
            ok $interrupted->status_query->{orderId};
            is_deeply $interrupted->previous, $plain->previous;
        }
    }

    # In functions without the network, what a handler dies with is raised too, and nothing leaks.
    my %credentials = ( client_key => $ENV{PAYORDER_CLIENT_KEY} );
    for my $code ( sub { Payorder::parse_return_url('https://x.example/?txn=1') },
        sub { Payorder::build_get_status('1') },
        sub { Payorder->from_env },
        sub { $till->set_credentials( \%credentials ) } )
    {
        my $before = Payorder::live_counters();
        my ( $statements, $caught ) = ( 0, 0 );
        do {
            ( $DB::left, $DB::single ) = ( $statements++, 1 );
            my $made;
            eval { $made = $code->() };
            $DB::single = 0;
            $caught++ if $DB::left < 0 && $@ ne "too late\n";
        } while $DB::left < 0;
        is $caught, 0;
        is_deeply( Payorder::live_counters(), $before );
    }

    # In the middle of set_log: the library calls no function that was freed.
    my ( $others, $replacing ) = ( 0, Payorder->from_env );
    {
        no warnings 'redefine';
        my $function = \&Payorder::_c;
        local *Payorder::_c = sub { bless [ $function->(@_) ], 'Raising' };
        eval { $replacing->set_log( sub { } ) };
        is $@, "too late\n";
    }
    my @others = map { Payorder->from_env( log => sub { $others++ } ) } 1 .. 3;
    eval { $replacing->get_status('none') };
    is $others, 0;

    # A call leaves the flags and the mask of a handler, and that it may run inside of a function.
    my $term = POSIX::SigSet->new(POSIX::SIGTERM);
    my $set  = POSIX::SigAction->new( sub { }, $term, POSIX::SA_RESTART );
    POSIX::sigaction( POSIX::SIGUSR2, $set );
    eval { $client->get_status('none') };
    POSIX::sigaction( POSIX::SIGUSR2, undef, my $left = POSIX::SigAction->new );
    ok $left->flags & POSIX::SA_RESTART && $left->mask->ismember(POSIX::SIGTERM) && !$left->safe;
    $SIG{USR2} = 'DEFAULT';    ## no critic

    # The error of another call says that nothing was sent.
    my $closed = Payorder->from_env;
    $closed->close;
    local $SIG{ALRM} = sub { $closed->get_status('none') };
    $at_each_statement->(qr/^there is no client/);
    $error = fails( 'Payorder::OrderInterrupted', sub { $logged->create_order( new_order() ) } );
    like $error->checkout->url, qr{/checkout/\d+$};
    isa_ok $error->outside, 'Payorder::InvalidHandleError';
    $order = new_order('sandbox:stall');
    $error = fails( 'Payorder::OrderInterrupted',
        sub { alarm 1; $client->create_order( $order, timeout => 1.5 ) } );
    is $client->get_status($error)->order_id, $order->{order_id};
};

subtest 'calls that do not block' => sub {
    my $events = 0;
    my $till   = Payorder->from_env( log => sub { $events++ }, max_calls => 1 );
    is $till->take, undef;
    my $order = new_order();
    my $id    = $order->{order_id};
    my $sale  = $till->start( create_order => $order, timeout => 30 );
    my $select = IO::Select->new( $till->done_handle );
    ok $select->can_read(60), 'an event loop waits for the handle';
    my $ended = $till->take;
    ok !$select->can_read(0), 'it is not ready without an answer';
    is $ended->id, $sale;
    like $ended->value->url, qr{/checkout/};
    my $started = sub { $till->start(@_); $till->take(60)->value };
    is $events, 0, 'the log function runs on no other thread';
    ok $till->get_status($id) && $events > 0, 'a blocking call has its log';
    my $sales = [ { orderId => 'none', amount => '1.00' } ];
    is $started->('check')->{steps}[0]{step}, 'name';
    is $started->( recover => $sales )->{sales}[0]{verdict}, 'unknown';
    my $refused = fails( 'Payorder::UnauthorizedError',
        sub { $started->( get_status => $id, client_key => 'wrong' ) } );
    is $started->( get_status => $refused )->order_id, $id;
    my $error = fails( 'Payorder::InvalidArgumentError',
        sub { $till->start( get_status => $id, wrong => 1 ) } );
    is $till->get_status($error)->order_id, $id;
    fails( 'Payorder::InvalidArgumentError', sub { $till->start('journal_resolve') } );

    local $SIG{ALRM} = sub { die "alarm\n" };
    $sale = $till->start( create_order => new_order('sandbox:stall'), timeout => 1.5 );
    eval { alarm 1; $till->take(60) };
    is $@, "alarm\n", 'a signal handler runs while a take waits';
    is $till->take(60)->id, $sale;

    # At each statement of a start: the program has the number of each order, and the log goes on.
    my ( $statements, %ends ) = (0);
    do {
        $order = new_order();
        ( $DB::left, $DB::single ) = ( $statements++, 1 );
        my $number;
        eval { $number = $till->start( create_order => $order ) };
        my $died = $@;
        $DB::single = 0;
        $number //= $died->id if ref $died && $died->isa('Payorder::OrderInterrupted');
        my $answer = $till->take( $number ? 60 : 0 );
        $events = 0;
        eval { $till->get_status('none') };
        my $known = ( $number // 0 ) == ( $answer ? $answer->id : 0 );
        $ends{ !$events ? 'no log' : !$known ? 'lost' : ref $died ? 'in the error' : $died }++;
    } while $DB::left < 0;
    is_deeply [ sort keys %ends ], [ '', "alarm\n", 'in the error' ] or diag explain \%ends;

    # At each statement of a take: the next one has the answer, and no handler's error is the call's.
    my $closed = Payorder->from_env;
    $closed->close;
    for my $handler ( sub { die "alarm\n" }, sub { $closed->get_status('none') } ) {
        local $SIG{ALRM} = $handler;
        my ( $statements, $lost, $caught ) = ( 0, 0, 0 );
        do {
            my $call = $till->start( get_status => $id );
            IO::Select->new( $till->done_handle )->can_read(60);
            ( $DB::left, $DB::single ) = ( $statements++, 1 );
            my $ended;
            eval { $ended = $till->take };
            $DB::single = 0;
            $caught++ if $DB::left < 0 && $@ !~ /^alarm$|^there is no client/;
            $ended //= $till->take(1);
            $lost++ if !$ended || $ended->id != $call || !eval { $ended->value->order_id eq $id };
        } while $DB::left < 0;
        is $lost, 0, 'a signal handler that dies loses no answer';
        is( Payorder::live_counters()->{strings}, 0, 'and leaks none' );
        is $caught, 0, 'what it dies with is raised';
        cmp_ok $statements, '>', 20;
    }

    $till->close;
    is $till->take(60), undef;
};

subtest 'the documentation' => sub {
    is system( 'podchecker', '-warnings', "$home/lib/Payorder.pm", "$home/lib/Payorder/Testing.pm" ), 0;
};

undef $client;
done_testing;
