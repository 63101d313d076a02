package Payorder::Callbacks;

# The functions of the program that run in the middle of this package: callbacks and signal handlers.

use strict;
use warnings;
use Config ();
use Exporter 'import';
use POSIX  ();

our @EXPORT_OK = qw(_deferring _run _try _uninterrupted);

# The numbers of the signals, and all signals. Windows has no sigaction.
my ( %NUMBERS, $ALL );
if ( $^O ne 'MSWin32' ) {
    @NUMBERS{ split ' ', $Config::Config{sig_name} } = split ' ', $Config::Config{sig_num};
    $ALL = POSIX::SigSet->new;
    $ALL->fillset;
}

# Runs a function of the program, and gives what it died with, or undef. `next` and `last` leave the
# loop here: one around the call would lose its result. Sort has its own stack, where those with a
# label die.
sub _run {
    my ($function) = @_;
    my @sorted = eval {
        sort { for my $once (1) { $function->() } 0 } 1, 2;
    };
    return @sorted ? undef : $@;
}

# Runs code while the program's signal handlers wait, and then the handlers. Gives what they died
# with. The code gets the signals that wait, and whether there is any handler.
sub _deferring {
    my ($code)   = @_;
    my $die      = $SIG{__DIE__};
    my %handlers = map { ( $_ => $SIG{$_} ) }
        grep { defined $SIG{$_} && ( ref $SIG{$_} || $SIG{$_} !~ /^(?:DEFAULT|IGNORE|)$/ ) }
        grep { !/^__/ } keys %SIG;
    # What `local` does not restore: the flags and the mask of a handler, and when it runs.
    my %actions = map { ( $_ => POSIX::SigAction->new ) } grep { $NUMBERS{$_} } keys %handlers;
    POSIX::sigaction( $NUMBERS{$_}, undef, $actions{$_} ) for keys %actions;
    my $mask = %actions && POSIX::SigSet->new;
    my @signals;
    {
        local @SIG{ keys %handlers } = map {
            my $signal = $_;
            sub { push @signals, $signal }
        } keys %handlers;
        $code->( \@signals, scalar %handlers );
        # Until the handlers are restored: one that dies would leave others as they are here.
        POSIX::sigprocmask( POSIX::SIG_BLOCK(), $ALL, $mask ) if $mask;
    }
    POSIX::sigaction( $NUMBERS{$_}, $actions{$_} ) for keys %actions;
    POSIX::sigprocmask( POSIX::SIG_SETMASK(), $mask ) if $mask;
    my @thrown;
    for my $signal (@signals) {
        my $handler = \&{ $handlers{$signal} };
        push @thrown,
            grep {defined} _run( sub { local $SIG{__DIE__} = $die; $handler->($signal) } );
    }
    return @thrown;
}

# Runs code that a signal handler must not leave in the middle. Gives what it gives, or dies with
# what a handler or the code died with.
sub _uninterrupted {
    my ($code) = @_;
    my ( $values, $error );
    my @thrown = _deferring( sub {
        local $@;
        $values = eval { [ $code->() ] };
        $error  = $@;
    } );
    die $thrown[0] if @thrown;
    die $error     if !$values;
    return wantarray ? @$values : $values->[0];
}

# Like `eval`, but it does not catch what a signal handler dies with.
sub _try {
    my ($code) = @_;
    my ( $value, $error );
    my @thrown = _deferring( sub { $value = eval { $code->() }; $error = $@ } );
    die $thrown[0] if @thrown;
    $@ = $error;    ## no critic
    return $value;
}

1;
