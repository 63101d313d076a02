use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Till;

my ( $count, $prefix ) = @ARGV;
my $client = open_client();
for my $number ( 1 .. $count ) {
    my $checkout
        = $client->create_order( new_order( "$prefix-$number", '249.50', 'Two coffees' ) );
    die if !$checkout->url;
}
