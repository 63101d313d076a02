package Payorder::Text;

# What the library is given, as JSON text, and the errors of what it cannot be given.

use strict;
use warnings;
use B ();
use Exporter 'import';
use JSON::PP ();
use Payorder::Callbacks qw(_try);
use Payorder::Constants;
use POSIX ();
use Scalar::Util qw(blessed looks_like_number);

our @EXPORT_OK
    = qw(_json _named _options _own_error _plain_text _query _unusable _usable _wire);

sub _unusable { die bless { message => $_[0], cause => $_[1] }, 'Payorder::Unusable' }

sub _plain_text {
    my ( $text, $what ) = @_;
    _unusable( "$what is missing", Payorder::Cause::NULL ) if !defined $text;
    _unusable( "$what contains U+0000", Payorder::Cause::INVALID_VALUE ) if $text =~ /\0/;
    return _utf8( \"$text", $what );
}

# The functions below get references to what may be secret, because stack traces show arguments.

sub _utf8 {
    my ( $text, $what ) = @_;
    _unusable( "$what has a character that is not in Unicode", Payorder::Cause::NOT_UTF8 )
        if $$text =~ /[\x{D800}-\x{DFFF}]|[^\x{0}-\x{10FFFF}]/;
    utf8::encode( my $bytes = $$text );
    return $bytes;
}

sub _json {
    my ( $value, $what ) = @_;
    _unusable( "$what is missing", Payorder::Cause::NULL ) if !defined $value;
    $value = ref $value eq 'ARRAY' ? [ map { _wire($_) } @$value ] : _wire($value);
    # Sorted, because an order that is sent again must have the same bytes.
    my $writer = JSON::PP->new->canonical->allow_nonref->allow_blessed->convert_blessed;
    my $text = _try( sub { $writer->encode($value) } );
    _unusable( "$what cannot be written as JSON: $@", Payorder::Cause::NOT_JSON )
        if !defined $text;
    return _utf8( \$text, $what );
}

# The service's name of a name in Perl.
sub _wire_name {
    my ($name) = @_;
    return 'redirectionURL' if $name eq 'redirection_url';
    $name =~ s/_([a-z])/\U$1/g;
    return $name;
}

sub _wire {
    my ($value) = @_;
    return $value if ref $value ne 'HASH';
    my %wire;
    $wire{ _new_key( \%wire, _wire_name($_) ) } = _exact( $value, $_ ) for keys %$value;
    return \%wire;
}

# Two names in Perl may be the same one of the service. Which of the two counts would be chance.
sub _new_key {
    my ( $values, $key ) = @_;
    _unusable( "$key is given twice", Payorder::Cause::INVALID_VALUE ) if exists $values->{$key};
    return $key;
}

# A number stays one, even if it was printed: the library refuses it in an order, since its text may
# be 1e+16. Bytes of UTF-8 that nobody has decoded would become two characters for each.
sub _exact {
    my ( $values, $name ) = @_;
    my $value = $values->{$name};
    _unusable( "$name is a " . ref($value) . ': give its text', Payorder::Cause::INVALID_VALUE )
        if blessed $value && !JSON::PP::is_bool($value) && !$value->can('TO_JSON');
    return { map { ( $_ => _exact( $value, $_ ) ) } keys %$value } if ref $value eq 'HASH';
    return $value if !defined $value || ref $value;
    my $flags = B::svref_2object( \$value )->FLAGS;
    return 0 + $value if $flags & ( B::SVf_IOK | B::SVf_NOK ) && !( $flags & B::SVf_POK );
    my $bytes = $value;
    _unusable( "$name has the bytes of UTF-8 instead of characters: decode it",
        Payorder::Cause::INVALID_VALUE )
        if !utf8::is_utf8($value) && $value =~ /[^\0-\x7F]/ && utf8::decode($bytes);
    return $value;
}

# Times that may be given in seconds. With _ms at the end, they are in milliseconds.
my %IN_SECONDS = map { $_ => 1 } qw(timeout connectTimeout maxIdle wait interval maxInterval);

# The names and values that a program gives as a list or as a hash reference.
sub _named {
    my (@given) = @_;
    push @given, %{ pop @given } if @given % 2 && ref $given[-1] eq 'HASH';
    _unusable( 'give options as names with values, or as a hash reference',
        Payorder::Cause::INVALID_VALUE )
        if @given % 2 || grep { ref $given[ 2 * $_ ] } 0 .. $#given / 2;
    return {@given};
}

# Options and settings, with the types that the library expects.
sub _options {
    my %given = %{ _named(@_) };
    my %options;
    for my $name ( keys %given ) {
        my $value = $given{$name};
        next if !defined $value;
        my $key = _wire_name($name);
        if ( $IN_SECONDS{$key} ) {
            $key .= 'Ms';
            $value = POSIX::ceil( $value * 1000 ) if looks_like_number($value);
        }
        if ( !ref $value ) {
            if ( $Payorder::Constants::IS_INTEGER{$key} ) {
                $value += 0 if looks_like_number($value);
            }
            elsif ( $Payorder::Constants::IS_BOOLEAN{$key} ) {
                # 'false' is true in Perl.
                _unusable( "$name is neither 1 nor 0", Payorder::Cause::INVALID_VALUE )
                    if $value !~ /^[01]?\z/;
                $value = $value ? JSON::PP::true() : JSON::PP::false();
            }
            elsif ( $Payorder::Constants::IS_STRING{$key} ) {
                $value = $key eq 'orderId' ? _exact( \%given, $name ) : "$value";
            }
        }
        $value = _wire($value) if $key eq 'tls';
        $options{ _new_key( \%options, $key ) } = $value;
    }
    return \%options;
}

# A query is an order id, a hash, or an object with a `status_query`. The error of a query asks the
# same again.
sub _query {
    my ($query) = @_;
    if ( blessed $query && $query->can('status_query') ) {
        my $asked = $query->isa('Payorder::Error') && $query->('asked');
        $query = $query->status_query || $asked || die Payorder::InvalidArgumentError->new(
            _own_error( 1, Payorder::Cause::INVALID_VALUE, 'fix_request',
                'this error names no order: give get_status the order id; nothing was sent' ) );
    }
    # The library refuses a number, whose text may be another one, such as 1e+16.
    return ref $query eq 'HASH' ? {%$query} : ref $query ? $query : { orderId => $query };
}

# Runs a part of the package. What `_unusable` found becomes an error of the class.
sub _usable {
    my ( $class, $operation, $code ) = @_;
    my @made = eval { $code->() };
    my $error = $@;
    return wantarray ? @made : $made[0] if !$error;
    die $error if !blessed $error || !$error->isa('Payorder::Unusable');
    my ( $message, $cause ) = @$error{qw(message cause)};
    my %more;
    if ($operation) {
        $message .= '; nothing was sent';
        %more = ( operation => $operation, attempts => 0, elapsedMs => 0 );
    }
    my $result = Payorder::Result::INVALID_ARGUMENT;
    die $class->new( _own_error( $result, $cause, 'fix_request', $message, %more ) );
}

# The text of an error that this package found, in the form of the library's.
sub _own_error {
    my ( $result, $cause, $action, $message, %more ) = @_;
    my %error = (
        result  => $result,
        name    => $Payorder::Constants::RESULT_NAMES{$result},
        outcome => $result < 100 ? 'not_sent' : $result < 200 ? 'rejected' : 'unknown',
        cause   => $cause,
        action  => $action,
        message => $message,
        %more
    );
    return JSON::PP->new->encode( { error => \%error } );
}

1;
