#!/usr/bin/perl
# The package's driver of the conformance suite: see bindings/conformance/README.md. It uses the
# package as a program does, and reports what the package's own objects say.

use strict;
use warnings;
use JSON::PP;
use Scalar::Util qw(blessed);
$| = 1;

my $json = JSON::PP->new->utf8->allow_nonref;

sub report_line { print $json->encode( $_[0] ), "\n" }

use Payorder;
if ( !eval { Payorder::version(); 1 } ) {
    die $@ if !$@->isa('Payorder::NotSentError');
    report_line( { refused => $@->message } );
    exit 1;
}

my %classes = (
    not_sent                      => 'NotSentError',
    rejected                      => 'RejectedError',
    unknown                       => 'OutcomeUnknownError',
    unusable                      => 'UnusableTextError',
    map {
        ( $Payorder::Constants::RESULT_NAMES{$_} => $Payorder::Constants::ERROR_CLASSES{$_} )
    } keys %Payorder::Constants::ERROR_CLASSES
);
my @STATUS = qw(responseCode responseMessage);
push @STATUS, @Payorder::Constants::STATUS_DATA;
my @ERROR = ( @Payorder::Constants::ERROR, qw(statusQuery previous) );

# ---- Reports: the package's objects as JSON ----

sub truth { return $_[0] ? JSON::PP::true : JSON::PP::false }

sub pick {
    my ( $object, @names ) = @_;
    return map { my $name = Payorder::Reading::_perl_name($_); ( $_ => scalar $object->$name ) } @names;
}

sub status_report {
    my ($status) = @_;
    return undef if !$status;
    return {
        pick( $status, @STATUS ),
        completed       => truth( $status->completed ),
        transactionDate => $status->transaction_date_text,
        date            => $status->transaction_date,
        raw             => $status->raw,
    };
}

sub error_report {
    my ($error) = @_;
    return undef if !$error;
    my ($caught) = grep { $error->isa("Payorder::$classes{$_}") }
        qw(not_sent rejected unknown unusable);
    return {
        pick( $error, @ERROR ),
        class      => ref($error) =~ s/^Payorder:://r,
        caught     => $caught,
        violations => [ map { { field => $_->{field}, rule => $_->{rule} } } $error->violations ],
        status     => status_report( $error->status ),
    };
}

sub summary_report {
    my ($summary) = @_;
    return { pick( $summary, @Payorder::Constants::SUMMARY ), stopped => truth( $summary->stopped ) };
}

sub entry_report { return { pick( $_[0], @Payorder::Constants::ENTRY ) } }

sub value_report {
    my ($value) = @_;
    return [ map { entry_report($_) } @$value ] if ref $value eq 'ARRAY';
    return $value if !blessed $value;
    return { pick( $value, qw(url responseCode responseMessage) ) }
        if $value->isa('Payorder::Checkout');
    return status_report($value)  if $value->isa('Payorder::Status');
    return summary_report($value) if $value->isa('Payorder::Summary');
    return entry_report($value)   if $value->isa('Payorder::JournalEntry');
    return { pick( $value, qw(transactionId statusQuery) ) }
        if $value->isa('Payorder::ReturnUrl');
    return {
        paid         => truth( $value->paid ),
        reasons      => [ $value->reasons ],
        unverifiable => [ $value->unverifiable ]
        }
        if $value->isa('Payorder::Verification');
    return {
        final    => truth( $value->final ),
        timedOut => truth( $value->timed_out ),
        polls    => $value->polls,
        status   => status_report( $value->status ),
        error    => error_report( $value->error ),
    };
}

# ---- Steps ----

my ( %clients, %cancellations, @events );

sub client { return $clients{ $_[0]{client} } }

sub options {
    my ($step) = @_;
    my $name = $step->{cancellation};
    return ( %{ $step->{options} || {} },
        defined $name ? ( cancellation => $cancellations{$name} ) : () );
}

sub object {
    my ($step) = @_;
    return defined $step->{cancellation} ? $cancellations{ $step->{cancellation} } : client($step);
}

sub statuses {
    my ( $step, $report ) = @_;
    my $items = $report->{items} = [];
    return client($step)->get_statuses(
        $step->{queries},
        sub {
            my ($result) = @_;
            my $error = $result->{error};
            push @$items,
                {
                index  => $result->{index},
                ok     => truth( !$error ),
                thread => 'caller',
                $error
                ? ( error => error_report($error) )
                : ( value => status_report( $result->{status} ) )
                };
            return 1 if !$step->{then} || @$items != $step->{at} + 1;
            return 'stop' if $step->{then}{op} eq 'stop';
            perform( $step->{then}, {} );
            return 1;
        },
        options($step)
    );
}

sub journal {
    my ($step) = @_;
    my ( $client, %given ) = ( client($step), options($step) );
    return [ $client->journal_list(%given) ] if $step->{do} eq 'list';
    return $client->journal_prune(%given)    if $step->{do} eq 'prune';
    return $client->journal_settle( delete $given{entry}, %given ) if $step->{do} eq 'settle';
    my $resolved = $client->journal_resolve(%given);
    return {
        summary       => summary_report( $resolved->{summary} ),
        otherServices => $resolved->{other_services},
        refusal       => $resolved->{refusal},
        entries       => [ map { entry_report($_) } @{ $resolved->{entries} } ]
    };
}

sub listen_to {
    my ($step) = @_;
    my $on = !exists $step->{on} || $step->{on};
    client($step)->set_log(
        !$on ? undef : sub {
            my ($event) = @_;
            push @events, { %$event, thread => 'caller' };
            perform( $step->{then}, {} ) if $step->{then} && $event->{event} eq $step->{at};
        }
    );
    return undef;
}

# Steps in the background.
my %STARTED = ( create => 'create_order', status => 'get_status', wait => 'wait_for_payment' );

sub start {
    my ($step) = @_;
    my @call = ( $STARTED{ $step->{op} }, $step->{order} // $step->{query}, options($step) );
    my $report = reported( sub { client($step)->start(@call) } );
    $report->{call} = $report->{value};
    return $report;
}

sub take {
    my ( $step, $report ) = @_;
    my $ended = client($step)->take(60) or die 'a started call never ended';
    $report->{call} = $ended->id;
    return $ended->value;
}

my %operations = (
    open    => sub { $clients{ $_[0]{client} } = Payorder->new( %{ $_[0]{config} } ); undef },
    check   => sub { client( $_[0] )->check( options( $_[0] ) ) },
    recover => sub {
        my $found = client( $_[0] )->recover( $_[0]{sales}, options( $_[0] ) );
        return {
            summary       => summary_report( $found->{summary} ),
            otherServices => $found->{other_services},
            refusal       => $found->{refusal},
            sales         => $found->{sales},
        };
    },
    credentials => sub { client( $_[0] )->set_credentials( %{ $_[0]{credentials} } ); undef },
    shutdown    => sub { client( $_[0] )->stop; undef },
    create => sub { client( $_[0] )->create_order( $_[0]{order}, options( $_[0] ) ) },
    status => sub { client( $_[0] )->get_status( $_[0]{query}, options( $_[0] ) ) },
    wait   => sub { client( $_[0] )->wait_for_payment( $_[0]{query}, options( $_[0] ) ) },
    statuses => \&statuses,
    journal  => \&journal,
    build    => sub {
        return Payorder::build_get_status( $_[0]{query} ) if $_[0]{query};
        return Payorder::build_create_order( $_[0]{order}, %{ $_[0]{options} || {} } );
    },
    parse        => sub { Payorder::parse_return_url( $_[0]{url} ) },
    verify       => sub { Payorder::verify_payment( $_[0]{expected}, $_[0]{status} ) },
    cancellation => sub {
        $cancellations{ $_[0]{cancellation} } = Payorder::Cancellation->new;
        return undef;
    },
    cancel       => sub { object( $_[0] )->cancel; undef },
    close        => sub { object( $_[0] )->close; undef },
    log          => \&listen_to,
    events       => sub { [ splice @events ] },
    counters     => sub { Payorder::live_counters() },
    collect      => sub {undef},
    forget       => sub { delete $clients{ $_[0]{client} }; undef },
    take         => \&take,
    throw        => sub { die "planted\n" },
);

# Runs a step, and gives the package's own object.
sub perform {
    my ( $step, $report ) = @_;
    return scalar $operations{ $step->{op} }->( $step, $report );
}

sub run {
    my ($step) = @_;
    return start($step) if defined $step->{thread};
    my %report;
    my $ended = reported( sub {
        my $value = perform( $step, \%report );
        return $step->{op} eq 'events' ? $value : value_report($value);
    } );
    return { %report, %$ended };
}

# What the code gives, or how it dies.
sub reported {
    my ($code) = @_;
    my $value = eval { $code->() };
    my $error = $@ or return { ok => truth(1), value => $value };
    return { ok => truth(0), error => error_report($error) }
        if blessed $error && $error->isa('Payorder::Error');
    die $error if $error ne "planted\n";
    return { ok => truth(0), thrown => 'planted' };
}

report_line(
    {   driver   => 'perl',
        language => sprintf( 'Perl %vd', $^V ),
        library  => Payorder::version(),
        abi      => Payorder::Constants->ABI_VERSION,
        features => [
            qw(started exceptions gc finalizers log-in-call load opens untyped closing query-text
                check)
        ],
        classes  => \%classes,
    }
);
while ( my $line = <STDIN> ) {
    report_line( run( $json->decode($line) ) );
}
