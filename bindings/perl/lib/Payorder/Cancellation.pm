package Payorder::Cancellation;

# Cancels the calls that have it as the option `cancellation`.

use strict;
use warnings;
use Payorder::Callbacks qw(_uninterrupted);
use Payorder::Library qw(_c _text_at);
use Payorder::Results;
use Payorder::Text qw(_own_error);
use Scalar::Util qw(refaddr);

sub new {
    my ($class) = @_;
    return _uninterrupted( sub {
        my $out;
        my $result = _c('cancellation_new')->call( \$out );
        die Payorder::Error->of( $result,
            _own_error( $result, 'bug', 'report_bug', 'no cancellation token' ) )
            if $result != 0;
        my $self = bless { token => _text_at($out) }, $class;
        $self->{owner} = refaddr $self;
        return $self;
    } );
}

sub cancel {
    my ($self) = @_;
    return if _c('cancellation_cancel')->call( $self->{token} ) == 0;
    die Payorder::InvalidHandleError->new(
        _own_error(
            2, Payorder::Cause::CANCELLATION_FREED, 'fix_request', 'the cancellation is closed'
        )
    );
}

sub close {    ## no critic
    my ($self) = @_;
    _c('cancellation_free')->call( $self->{token} );
    return;
}

sub DESTROY {
    my ($self) = @_;
    $self->close if ${^GLOBAL_PHASE} ne 'DESTRUCT' && $self->{owner} == refaddr $self;
    return;
}

# As of a client.
sub CLONE_SKIP { return 1 }

1;
