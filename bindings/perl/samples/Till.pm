package Till;

# What the samples share: an order.

use strict;
use warnings;
use Exporter 'import';
use Payorder;
our @EXPORT = qw(new_order);

# An order needs identifiers that were never used before.
sub new_order {
    my ( $order_id, $amount ) = @_;
    return {
        amount          => "$amount",                            # text, never a number
        merchant_txn_id => "T-$order_id",
        order_id        => $order_id,
        pay_mode        => 'all',
        merchant_id     => 'M-1',
        product_info    => 'Two coffees',
        customer_name   => 'Asha Rao',
        customer_mobile => '9000000001',
        customer_email  => 'asha@example.com',
        redirection_url => 'https://shop.example.com/return',
        currency_code   => 'INR',
    };
}

1;
