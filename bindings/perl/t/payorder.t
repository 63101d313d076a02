use strict;
use warnings;
use utf8;
use Cwd qw(abs_path);
use File::Basename qw(dirname);
use File::Temp qw(tempdir);
use HTTP::Tiny;
use JSON::PP;
use Test::More;
use Time::HiRes qw(time sleep);
use Payorder;

my $home = abs_path( dirname(__FILE__) . '/..' );
binmode Test::More->builder->$_, ':utf8' for qw(output failure_output);
my $folder = tempdir( CLEANUP => 1 );

# ---- A sandbox for all tests ----

my $log = "$folder/sandbox.log";
my $sandbox = fork // die;
if ( !$sandbox ) {
    open STDOUT, '>', $log or die;
    exec $ENV{PAYORDER_SANDBOX}, '--port', '0';
}
END { kill TERM => $sandbox if $sandbox }

sub slurp {
    my ($file) = @_;
    open my $in, '<:encoding(UTF-8)', $file or return '';
    local $/;
    return scalar <$in>;
}

sub until_true {
    my ($code) = @_;
    for ( 1 .. 2000 ) {
        my $value = $code->();
        return $value if $value;
        sleep 0.01;
    }
    die 'never true';
}
my $url = until_true( sub { slurp($log) =~ /listens at (\S+)/ && $1 } );
my %config = (
    base_url     => $url,
    proxy        => 'none',
    access_token => 'sandbox-access-token',
    client_key   => 'sandbox-client-key',
    client_id    => 'sandbox-client-id',
    secret_key   => 'sandbox-secret-key',
);
@ENV{qw(PAYORDER_BASE_URL no_proxy PAYORDER_ACCESS_TOKEN)} = ( $url, '*', $config{access_token} );
@ENV{qw(PAYORDER_CLIENT_KEY PAYORDER_CLIENT_ID PAYORDER_SECRET_KEY)}
    = @config{qw(client_key client_id secret_key)};

my $orders = 0;

sub new_order {
    my ( $info, %more ) = @_;
    $orders++;
    return {
        amount          => '100.00',
        merchant_txn_id => "MTX-$$-$orders",
        order_id        => "ORD-$$-$orders",
        pay_mode        => 'all',
        merchant_id     => 'M-1',
        product_info    => $info // 'Tea',
        customer_name   => 'Asha Rao',
        customer_mobile => '9000000001',
        customer_email  => 'asha@example.com',
        redirection_url => 'https://shop.example.com/return',
        currency_code   => 'INR',
        %more
    };
}

sub press {
    my ( $checkout, $button ) = @_;
    my $http = HTTP::Tiny->new( max_redirect => 0 );
    return $http->post("$checkout/$button")->{headers}{location};
}

# Runs the code, which must die with the class. Gives the error.
sub fails {
    my ( $class, $code, $name ) = @_;
    my $lived = eval { $code->(); 1 };
    my $error = $@;
    isa_ok( $lived ? undef : $error, $class, $name // $class );
    return $error;
}

my $client = Payorder->new(%config);

subtest 'a sale from the order to the verified payment' => sub {
    my $order    = new_order();
    my $checkout = $client->create_order($order);
    like $checkout->url, qr{/checkout/\d+$};
    is decode_json( $checkout->raw )->{data}{url}, $checkout->url;
    my %expected = ( order_id => $order->{order_id}, amount => '100' );
    ok !Payorder::verify_payment( \%expected, $client->get_status( $order->{order_id} ) );

    my $returned = Payorder::parse_return_url( press( $checkout->url, 'pay' ) );
    my $waited   = $client->wait_for_payment($returned);
    ok $waited->final && !$waited->timed_out && !$waited->error;
    is $waited->status->transaction_id, $returned->transaction_id;
    like $waited->status->transaction_date, qr/^\d{4}-\d\d-\d\dT/;
    ok $waited->status->completed;
    ok( Payorder::verify_payment( \%expected, $waited->status )->paid );
    my $wrong = Payorder::verify_payment( { %expected, amount => '99' }, $waited->status->raw );
    ok !$wrong->paid;
    is_deeply [ $wrong->reasons ], [ { check => 'amount', expected => '99', actual => '100.00' } ];
};

subtest 'after a failure the order may exist' => sub {
    my %faults = (
        'drop-after-commit' => 'ConnectionLostError',
        'stall'             => 'ResponseTimeoutError',
        'html-502'          => 'ServiceFailedError',
        'malformed-json'    => 'BadResponseError',
        'no-url'            => 'BadResponseError',
    );
    for my $fault ( sort keys %faults ) {
        my $order = new_order("Tea sandbox:$fault");
        my $limit = $fault eq 'stall' ? '500' : '30000';
        my $error = fails( "Payorder::$faults{$fault}",
            sub { $client->create_order( $order, timeout_ms => $limit ) }, $fault );
        isa_ok $error, 'Payorder::OutcomeUnknownError';
        is $error->action, Payorder::Action::ASK_STATUS;
        is_deeply $error->status_query, { searchType => '1', orderId => $order->{order_id} };
        is $client->get_status($error)->order_id, $order->{order_id};
    }
};

subtest 'refusals' => sub {
    my $error = fails( 'Payorder::RejectedError',
        sub { $client->create_order( new_order('sandbox:reject') ) } );
    is $error->response_code, '400';
    ok length $error->response_message;
    is_deeply [ $error->result, $error->name, $error->operation ],
        [ Payorder::Result::REJECTED, 'PAYORDER_REJECTED', 'create_order' ];
    $error = fails( 'Payorder::RateLimitedError',
        sub { $client->create_order( new_order('sandbox:rate-limit') ) } );
    is $error->retry_after_ms, 1000;
    $error = fails( 'Payorder::UnauthorizedError',
        sub { $client->create_order( new_order(), access_token => 'wrong' ) } );
    is $error->http_status, 401;
    my $waited = $client->wait_for_payment( 'none', wait_ms => 100, interval_ms => 20 );
    ok $waited->timed_out && !$waited->status;
    isa_ok $waited->error, 'Payorder::RejectedError';
};

subtest 'nothing was sent' => sub {
    my $order = new_order( 'Tea', amount => 100.5, pay_mode => 'cash', customer_name => undef );
    my $error = fails( 'Payorder::InvalidRequestError', sub { $client->create_order($order) } );
    isa_ok $error, 'Payorder::NotSentError';
    is_deeply { map { ( $_->{field} => $_->{rule} ) } $error->violations },
        { amount => 'type', payMode => 'allowed', customerName => 'type' };
    my $nowhere = Payorder->new( %config, base_url => 'http://127.0.0.1:1' );
    $error = fails( 'Payorder::ConnectError', sub { $nowhere->create_order( new_order() ) } );
    is $error->cause, Payorder::Cause::CONNECTION_REFUSED;
    fails( 'Payorder::InvalidArgumentError',
        sub { $client->create_order( new_order(), timeout_ms => 0 ) } );
    fails( 'Payorder::InvalidArgumentError', sub { $client->create_order(undef) } );
    $error = fails( 'Payorder::InvalidArgumentError',
        sub { $client->create_order( new_order("\x{D800}") ) } );
    is $error->cause, Payorder::Cause::NOT_UTF8;
    like $error, qr/nothing was sent/;
    $error = fails( 'Payorder::InvalidConfigError', sub { Payorder->new( base => 1 ) } );
    like $error, qr/base/;
};

subtest 'functions without a network' => sub {
    fails( 'Payorder::UnusableTextError', sub { Payorder::parse_return_url('/return') } );
    fails( 'Payorder::UnusableTextError', sub { Payorder::parse_return_url("?txn=a\0b") } );
    my $error = fails( 'Payorder::UnusableTextError',
        sub { Payorder::verify_payment( { order_id => 'O' }, '{}' ) } );
    ok !$error->isa('Payorder::NotSentError');
    my $body = Payorder::build_create_order( new_order(), extra_fields => { udf_1 => 'x' } );
    is decode_json($body)->{udf_1}, 'x';
    is decode_json( Payorder::build_get_status( { transaction_id => 'T' } ) )->{searchType}, '2';
};

subtest 'text is UTF-8 both ways' => sub {
    my @texts = ( 'आशा राव', '🍵 tea', q("q" \ 'q'), 'blanks   ', 'null', "é\x{2028}b", "a\0b" );
    for my $text (@texts) {
        my $order = new_order( 'Tea', customer_name => $text );
        $client->create_order($order);
        is $client->get_status( $order->{order_id} )->customer_name, $text;
    }
};

subtest 'a result that Perl cannot parse keeps its checkout URL' => sub {
    no warnings 'redefine';
    local *Payorder::Reading::_parsed = sub { return undef };
    is $client->create_order( new_order() )->url =~ m{/checkout/}, 1;
    my $order = new_order('sandbox:drop-after-commit');
    my $error = fails( 'Payorder::ConnectionLostError', sub { $client->create_order($order) } );
    is $error->result, 201;
};

subtest 'many statuses' => sub {
    my @orders = map { new_order() } 1 .. 5;
    $client->create_order($_) for @orders;
    my @ids = map { $_->{order_id} } @orders;
    my @seen;
    my $summary = $client->get_statuses(
        [ @ids, 'none', { order_id => '' } ],
        sub { $seen[ $_[0]{index} ] = $_[0] },
        concurrency => 3
    );
    is_deeply [ map { $seen[$_]{status}->order_id } 0 .. 4 ], \@ids;
    isa_ok $seen[5]{error}, 'Payorder::RejectedError';
    isa_ok $seen[6]{error}, 'Payorder::InvalidRequestError';
    is_deeply [ map { $summary->$_ } qw(asked ok rejected not_sent stopped) ], [ 7, 5, 1, 1, 0 ];

    my @many = (@ids) x 400;
    my $calls = 0;
    my $lived = eval {
        $client->get_statuses( \@many, sub { $calls++; die { mine => 1 } }, concurrency => 1 );
        1;
    };
    ok !$lived && $@->{mine}, 'an exception comes out unchanged';
    is $calls, 1, 'and ends the calls of the function';
    $summary = $client->get_statuses( \@many, sub {'stop'}, concurrency => 1 );
    ok $summary->stopped && $summary->asked < 20;
    my $cancellation = Payorder::Cancellation->new;
    $summary = $client->get_statuses( \@many, sub { $cancellation->cancel; 1 },
        cancellation => $cancellation );
    ok $summary->stopped, 'a cancellation ends the queries without an exception';
    my $begin = time;
    $client->get_statuses( \@ids, sub {1}, rate_per_second => '20' );
    cmp_ok time - $begin, '>=', 0.19, 'the rate is kept';
};

subtest 'cancelling and closing' => sub {
    my $cancellation = Payorder::Cancellation->new;
    my ( $other, @events );
    $other = Payorder->new(
        %config,
        log => sub {
            push @events, $_[0];
            $cancellation->cancel if $_[0]{event} eq 'attempt_started';
        }
    );
    my $order = new_order();
    fails( 'Payorder::CancelledError',
        sub { $other->create_order( $order, cancellation => $cancellation ) } );
    unlike slurp($log), qr/$order->{order_id} /;
    unlike encode_json( \@events ), qr/Asha|sandbox-access-token/;
    $cancellation->close;
    fails( 'Payorder::InvalidHandleError',
        sub { $other->create_order( $order, cancellation => $cancellation ) } );
    fails( 'Payorder::InvalidHandleError', sub { $cancellation->cancel } );

    my @lines;
    local $SIG{__WARN__} = sub { push @lines, @_ };
    $other->set_log( sub { die "the disk is full\n" } );
    ok $other->create_order( new_order() )->url, 'a log function that dies does no harm';
    like $lines[0], qr/the disk is full/;
    $other->set_log( sub { $other->set_log(undef); undef $other } );
    ok $other->create_order( new_order() )->url, 'a client that is freed by its log function';
    $other = Payorder->new(%config);
    $other->close;
    $other->close;
    fails( 'Payorder::InvalidHandleError', sub { $other->create_order( new_order() ) } );
    fails( 'Payorder::InvalidHandleError', sub { $other->cancel } );
};

subtest 'a signal handler that dies does not hide that the order may exist' => sub {
    local $SIG{ALRM} = sub { die "too late\n" };
    my $order = new_order('sandbox:stall');
    my $error = fails( 'Payorder::OrderInterrupted',
        sub { alarm 1; $client->create_order( $order, timeout_ms => 1500 ) } );
    is $error->outside, "too late\n";
    is $client->get_status($error)->order_id, $order->{order_id};

    my $logged = Payorder->new( %config,
        log => sub { kill ALRM => $$ if $_[0]{event} eq 'call_finished' } );
    $error = fails( 'Payorder::OrderInterrupted', sub { $logged->create_order( new_order() ) } );
    like $error->checkout->url, qr{/checkout/\d+$};
    like $error, qr{/checkout/\d+};
    my $seen;
    local $SIG{ALRM} = sub { $seen = 1 };
    ok $logged->create_order( new_order() )->url, 'a handler that returns changes nothing';
    ok $seen;
};

subtest 'the journal' => sub {
    my $till = Payorder->new( %config, journal => "$folder/orders.db" );
    my $order = new_order();
    my $paid_at = $till->create_order($order)->url;
    my $error = fails( 'Payorder::DuplicateError', sub { $till->create_order($order) } );
    is $error->previous->{url}, $paid_at;
    my $lost = new_order('sandbox:drop-after-commit');
    fails( 'Payorder::ConnectionLostError', sub { $till->create_order($lost) } );
    my ($entry) = $till->journal_list( state => 'unresolved' );
    is $till->get_status($entry)->order_id, $lost->{order_id};
    is_deeply $till->journal_resolve( concurrency => 2 )->{entries}, [];
    fails( 'Payorder::ResponseTimeoutError',
        sub { $till->create_order( new_order('sandbox:stall-before'), timeout_ms => 100 ) } );
    ($entry) = $till->journal_list( state => 'unresolved', limit => '1' );
    my ($told) = $till->journal_list( order_id => $entry->order_id, events => 1 );
    is( join( ' ', map { $_->{event} } @{ $told->events } ), 'sending attempt', 'its events' );
    my $settled = $till->journal_settle( $entry->entry, note => 'नकद, cash' );
    is_deeply [ $settled->state, $settled->note ], [ 'settled', 'नकद, cash' ];
    is $till->journal_prune( older_than_days => 1 ), 0;
    fails( 'Payorder::InvalidArgumentError', sub { $client->journal_list } );
};

subtest 'nothing is left' => sub {
    my $before = Payorder::live_counters;
    for my $code (
        sub { $_[0]->create_order( new_order('sandbox:reject') ) },
        sub { $_[0]->create_order( {} ) },
        sub { $_[0]->create_order( new_order("\x{D800}") ) },
        sub { $_[0]->get_status('none') },
        sub { $_[0]->journal_list },
        sub { Payorder::parse_return_url('?') },
        sub { Payorder->new },
        )
    {
        my $other = Payorder->new(%config);
        ok !eval { $code->($other); 1 };
    }
    is_deeply( Payorder::live_counters, $before );
};

subtest 'the library' => sub {
    open my $out, '>', "$folder/stub.c" or die;
    print $out "unsigned payorder_abi_version(void) { return 2; }\n";
    close $out;
    is system( 'gcc', '-shared', '-fPIC', '-o', "$folder/stub.so", "$folder/stub.c" ), 0;
    my $try = sub { local $ENV{PAYORDER_LIBRARY} = $_[0]; `$^X -I$home/lib -MPayorder -e1 2>&1` };
    my $output = $try->("$folder/stub.so");
    like $output, qr/version 2 of the ABI, and this package needs version 1/;
    like $output, qr/\Q$folder\E\/stub.so/;
    unlike $try->("$folder/missing.so"), qr/libpayorder/;
    is system( 'python3', "$home/../constants.py", '--check' ), 0, 'the constants are current';
};

# Runs a program, and pays for the order whose URL it prints.
sub run_paying {
    my (@command) = @_;
    my $quoted = join ' ', map {"'$_'"} $^X, "-I$home/lib", @command;
    open my $program, '-|:encoding(UTF-8)', "$quoted 2>&1" or die;
    my $output = '';
    while ( my $line = <$program> ) {
        $output .= $line;
        press( $1, 'pay' ) if $line =~ /send the customer to (\S+)/;
    }
    close $program;
    return ( $output, $? >> 8 );
}

subtest 'the snippets of the README' => sub {
    my $code = join "\n", slurp("$home/README.md") =~ /^```perl\n(.*?)^```/msg;
    open my $out, '>:encoding(UTF-8)', "$folder/readme.pl" or die;
    print $out "\$| = 1;\n$code";
    close $out;
    my ( $output, $status ) = run_paying("$folder/readme.pl");
    is $status, 0 or diag $output;
    like $output, qr/^paid$/m;
    like $output, qr/^the order may exist: /m;
};

subtest 'the samples' => sub {
    my ( $output, $status ) = run_paying( "$home/samples/sale.pl", 'SALE-1', '249.50' );
    like $output, qr/PAID: 249.50 for order SALE-1/;
    ($output) = run_paying( "$home/samples/lost_answer.pl", 'LOST-1' );
    like $output, qr/the service has order LOST-1: Pending/;
    open my $out, '>', "$folder/orders.csv" or die;
    print $out "SALE-1,249.50\nSALE-1,1.00\nLOST-1,249.50\nnone,1.00\n";
    close $out;
    ( $output, $status ) = run_paying( "$home/samples/reconciliation.pl", "$folder/orders.csv" );
    is $status, 6;
    is_deeply [ sort split /\n/, $output ],
        [
        'LOST-1,249.50,transactionStatus', 'SALE-1,1.00,amount',
        'SALE-1,249.50,matched',           'asked for 4 orders',
        'none,1.00,unknown_to_service'
        ];

    my @restart = ( "$home/samples/restart.pl", "$folder/restart.db", 'RESTART-1' );
    my $first = fork // die;
    if ( !$first ) {
        open STDOUT, '>', "$folder/first.log" or die;
        exec $^X, "-I$home/lib", @restart;
    }
    until_true( sub { slurp($log) =~ /RESTART-1/ } );
    kill KILL => $first;
    waitpid $first, 0;
    ($output) = run_paying(@restart);
    like $output, qr/\Q$_\E/
        for 'order RESTART-1: sending',
        'order RESTART-1 is in the journal as sending',
        'the service has order RESTART-1: Pending';
    my @sent = slurp($log) =~ /CreateOrder.*RESTART-1/g;
    is @sent, 1;
};

subtest 'a client from the environment, new credentials and a stop' => sub {
    local @ENV{ map {"PAYORDER_\U$_"} keys %config } = values %config;
    my $till = Payorder->from_env( access_token => 'wrong', proxy => 'none' );
    fails( 'Payorder::UnauthorizedError', sub { $till->create_order( new_order() ) } );
    $till->set_credentials( access_token => $config{access_token} );
    ok $till->create_order( new_order() )->url;
    $till->stop;
    my $error = fails( 'Payorder::CancelledError', sub { $till->create_order( new_order() ) } );
    is( $error->cause, Payorder::Cause::CLIENT_STOPPED );
};

undef $client;
done_testing;
