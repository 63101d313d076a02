<?php

// A restart after a crash: with a journal, the next run knows which orders may exist, and settles
// them before it sells again.
//
//     php restart.php JOURNAL sell ORDER_ID AMOUNT PRODUCT
//     php restart.php JOURNAL settle

declare(strict_types=1);

require __DIR__ . '/../autoload.php'; // with Composer: vendor/autoload.php

use Payorder\{Client, DuplicateException, Order, PayorderException};

if (!($argc === 6 && $argv[2] === 'sell' || $argc === 3 && $argv[2] === 'settle')) {
    fwrite(STDERR, "usage: php restart.php JOURNAL sell ORDER_ID AMOUNT PRODUCT\n");
    fwrite(STDERR, "       php restart.php JOURNAL settle\n");
    exit(1);
}
$client = new Client([
    'baseUrl' => getenv('PAYORDER_BASE_URL'),
    'accessToken' => getenv('PAYORDER_ACCESS_TOKEN'),
    'clientKey' => getenv('PAYORDER_CLIENT_KEY'),
    'clientId' => getenv('PAYORDER_CLIENT_ID'),
    'secretKey' => getenv('PAYORDER_SECRET_KEY'),
    'journal' => $argv[1],
]);
try {
    $argv[2] === 'sell' ? sell($client, $argv[3], $argv[4], $argv[5]) : settle($client);
} catch (DuplicateException $error) {
    echo "order {$error->previous->orderId} was sent before: {$error->previous->state}\n";
    exit(2);
} catch (PayorderException $error) {
    echo $error->getMessage(), "\n";
    exit(2);
}

/** Creates an order. The journal has it before it is sent, and still after a power cut. */
function sell(Client $client, string $orderId, string $amount, string $product): void
{
    $checkout = $client->createOrder(new Order(
        amount: $amount,
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
    ));
    echo "send the customer to $checkout->url\n";
}

/** Asks about every order that is open, and lists all. */
function settle(Client $client): void
{
    $resolved = $client->journalResolve();
    echo "asked about {$resolved->summary->asked} orders,",
        " the service knows {$resolved->summary->ok}\n";
    foreach ($client->journalList() as $entry) {
        echo "$entry->orderId $entry->amount $entry->state $entry->transactionStatus\n";
    }
    $open = count($resolved->entries);
    if ($open > 0) {
        echo "$open orders are still unresolved: ask again later\n";
        exit(2);
    }
}
