package Payorder::Library;

# The functions of the C library, which is loaded for the first of them.

use strict;
use warnings;
use Config ();
use Cwd ();
use Exporter 'import';
use FFI::Platypus 2.00;
use FFI::Platypus::Closure ();
use File::Basename ();
use JSON::PP ();
use POSIX ();
use Payorder::Callbacks qw(_try _uninterrupted);
use Payorder::Constants;

our @EXPORT_OK = qw(_c _call _closure _member _take _text_at _uninterrupted_call);

# The functions of the library, FFI::Platypus in `ffi`, and the library's file.
my ( $loaded, $opened );

# A new thread of Perl loads the library itself: it would free the parent's functions and closures.
sub CLONE { undef $loaded }
@Payorder::Closure::ISA = 'FFI::Platypus::Closure';
sub Payorder::Closure::CLONE_SKIP   { return 1 }
sub Payorder::Functions::CLONE_SKIP { return 1 }

# Where the library may be, the preferred place first. In a checkout, the newest build is the one
# that the developer has just made.
sub _candidates {
    my $chosen = $ENV{PAYORDER_LIBRARY};
    return Cwd::abs_path($chosen) || $chosen if defined $chosen && $chosen ne '';
    my ( $name, $system )
        = $^O eq 'MSWin32' ? ( 'payorder.dll', 'payorder.dll' )
        : $^O eq 'darwin'  ? ( 'libpayorder.dylib', 'libpayorder.1.dylib' )
        :                    ( 'libpayorder.so', 'libpayorder.so.1' );
    my $package = File::Basename::dirname( Cwd::abs_path(__FILE__) );
    my @found   = ( "$package/native/" . _system() . "/$name" );
    if ( $package =~ m{^(.*)/bindings/perl/lib/Payorder$} ) {
        my $checkout = $1;
        push @found, sort { -M $a <=> -M $b }
            grep { -e $_ } map {"$checkout/target/$_/$name"} qw(release debug);
    }
    return ( @found, $system );
}

# This system's name in packaging/targets, which is also its folder's in native.
sub _system {
    my ($processor) = $Config::Config{archname} =~ /^(?:MSWin32-)?(\w+)/;
    # There, Perl's name has no processor.
    $processor = ( POSIX::uname() )[4] if $^O eq 'darwin';
    $processor
        = $processor =~ /^(x64|amd64)/ ? 'x86_64'
        : $processor =~ /^(i.86|x86$)/ ? 'i686'
        : $processor eq 'arm64'        ? 'aarch64'
        : $processor =~ /^arm/         ? 'armv7'
        :                                $processor;
    return "$processor-windows" if $^O eq 'MSWin32';
    return "$processor-macos"   if $^O eq 'darwin';
    return "$processor-$^O"     if $^O ne 'linux';
    my $gnu = $processor eq 'armv7' ? 'gnueabihf' : 'gnu';
    return "$processor-linux-" . ( $Config::Config{archname} =~ /musl/ ? 'musl' : $gnu );
}

sub _open {
    my ($file) = @_;
    require DynaLoader;
    DynaLoader::dl_load_file($file) or die DynaLoader::dl_error() . "\n";
    my $library = FFI::Platypus->new( api => 2, lib => [$file] );
    my $version = eval { $library->function( payorder_abi_version => [] => 'uint32' )->call };
    die "it has no payorder_abi_version\n" if !defined $version;
    my $needed = Payorder::Constants::ABI_VERSION;
    die "it has version $version of the ABI, and this package needs version $needed\n"
        if $version != $needed;
    my %functions = ( ffi => $library );
    for my $name ( keys %Payorder::Constants::SIGNATURES ) {
        my ( $result, @types ) = @{ $Payorder::Constants::SIGNATURES{$name} };
        $functions{$name} = $library->function( "payorder_$name" => \@types => $result );
    }
    $opened = $file;
    return bless \%functions, 'Payorder::Functions';
}

sub _load {
    my @tried;
    for my $file ( $opened // _candidates ) {
        $loaded = _try( sub { _open($file) } ) and return;
        push @tried, "  $file: " . ( $@ =~ s/( at \S+ line \d+\.)?\n.*//sr ) . "\n";
    }
    die Payorder::LibraryError->because(
        "payorder found no shared library that it can use; nothing was sent. It tried\n@tried"
            . 'Set PAYORDER_LIBRARY to the path of the library.' );
}

# A function of the library, which is loaded for the first of them.
sub _c {
    my ($name) = @_;
    _load() if !$loaded;
    return $loaded->{$name};
}

# A copy of the text at an address, which is freed.
sub _take {
    my ($address) = @_;
    return undef if !defined $address;
    my $text = _text_at($address);
    _c('string_free')->call($address);
    utf8::decode($text);
    return $text;
}

# Calls a function whose last argument is `char **`. Returns its result and the text, or undef. The
# caller lets signal handlers wait: one that dies would lose the text. The arguments are in an
# array, because stack traces show what is not.
sub _call {
    my ( $name, $arguments ) = @_;
    my $out;
    my $result = _c($name)->call( @$arguments, \$out );
    return ( $result, _take($out) );
}

sub _uninterrupted_call {
    my @call = @_;
    return _uninterrupted( sub { _call(@call) } );
}

# What is at a JSON pointer of a text, unchanged; or undef.
sub _member {
    my ( $json, $pointer ) = @_;
    utf8::encode($json);
    my ( $result, $text ) = _uninterrupted_call( json_get => [ $json, $pointer ] );
    return $result == 0 ? $text : undef;
}

# A text with a string at a JSON pointer.
sub _changed {
    my ( $json, $pointer, $string ) = @_;
    utf8::encode( my $bytes = $json );
    my $value = JSON::PP->new->utf8->allow_nonref->encode($string);
    my ( $result, $text ) = _uninterrupted_call( json_set => [ $bytes, $pointer, $value ] );
    return $result == 0 ? $text : $json;
}

# A function of Perl that the library calls.
sub _closure { return Payorder::Closure->new( $_[0] ) }

# The text at an address, which stays the library's.
sub _text_at { return _c('ffi')->cast( opaque => string => $_[0] ) }

1;
