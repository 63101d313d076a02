package Till;

# What the samples share: the settings, and an order.

use strict;
use warnings;
use Exporter 'import';
use Payorder;
our @EXPORT = qw(open_client new_order);

sub open_client {
    my (%more) = @_;
    return Payorder->new(
        base_url     => $ENV{PAYORDER_BASE_URL},
        access_token => $ENV{PAYORDER_ACCESS_TOKEN},
        client_key   => $ENV{PAYORDER_CLIENT_KEY},
        client_id    => $ENV{PAYORDER_CLIENT_ID},
        secret_key   => $ENV{PAYORDER_SECRET_KEY},
        %more
    );
}

# An order needs identifiers that were never used before.
sub new_order {
    my ( $order_id, $amount, $product_info ) = @_;
    return {
        amount          => "$amount",                            # text, never a number
        merchant_txn_id => "T-$order_id",
        order_id        => $order_id,
        pay_mode        => 'all',
        merchant_id     => 'M-1',
        product_info    => $product_info,
        customer_name   => 'Asha Rao',
        customer_mobile => '9000000001',
        customer_email  => 'asha@example.com',
        redirection_url => 'https://shop.example.com/return',
        currency_code   => 'INR',
    };
}

1;
