<?php

// What the samples share: the package and an order.

declare(strict_types=1);

require __DIR__ . '/../autoload.php'; // with Composer: vendor/autoload.php

use Payorder\Order;

/** An order needs identifiers that were never used before. */
function newOrder(string $orderId, string $amount): Order
{
    return new Order(
        amount: $amount, // text, never a float
        merchantTxnId: "T-$orderId",
        orderId: $orderId,
        payMode: 'all',
        merchantId: 'M-1',
        productInfo: 'Two coffees',
        customerName: 'Asha Rao',
        customerMobile: '9000000001',
        customerEmail: 'asha@example.com',
        redirectionURL: 'https://shop.example.com/return',
        currencyCode: 'INR',
    );
}

/** A failure, which a script that calls the program sees. */
function stop(string $text): never
{
    echo "$text\n";
    exit(1);
}
