use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Till;

my ( $count, $prefix ) = @ARGV;
my $client = Payorder->from_env;
for my $number ( 1 .. $count ) {
    my $checkout
        = $client->create_order( new_order( "$prefix-$number", '249.50', 'Two coffees' ) );
    die if !$checkout->url;
}
