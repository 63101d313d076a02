<?php

// What the samples share: the settings, and an order.

declare(strict_types=1);

require __DIR__ . '/../autoload.php'; // with Composer: vendor/autoload.php

use Payorder\{Client, Order};

function openClient(array $more = []): Client
{
    return new Client($more + [
        'baseUrl' => getenv('PAYORDER_BASE_URL'),
        'accessToken' => getenv('PAYORDER_ACCESS_TOKEN'),
        'clientKey' => getenv('PAYORDER_CLIENT_KEY'),
        'clientId' => getenv('PAYORDER_CLIENT_ID'),
        'secretKey' => getenv('PAYORDER_SECRET_KEY'),
    ]);
}

/** An order needs identifiers that were never used before. */
function newOrder(string $orderId, string $amount, string $product): Order
{
    return new Order(
        amount: $amount, // text, never a float
        merchantTxnId: "T-$orderId",
        orderId: $orderId,
        payMode: 'all',
        merchantId: 'M-1',
        productInfo: $product,
        customerName: 'Asha Rao',
        customerMobile: '9000000001',
        customerEmail: 'asha@example.com',
        redirectionURL: 'https://shop.example.com/return',
        currencyCode: 'INR',
    );
}
