<?php

// A lost answer: the connection breaks after the order was sent, and the program settles it by
// asking. With the sandbox, sandbox:drop-after-commit in PRODUCT loses the answer.
//
//     php lost_answer.php ORDER_ID AMOUNT PRODUCT

declare(strict_types=1);

require __DIR__ . '/../autoload.php'; // with Composer: vendor/autoload.php

use Payorder\{Client, NotSentException, Order, OutcomeUnknownException, PayorderException};
use Payorder\RejectedException;

if ($argc !== 4) {
    fwrite(STDERR, "usage: php lost_answer.php ORDER_ID AMOUNT PRODUCT\n");
    exit(1);
}
[, $orderId, $amount, $product] = $argv;
$client = new Client([
    'baseUrl' => getenv('PAYORDER_BASE_URL'),
    'accessToken' => getenv('PAYORDER_ACCESS_TOKEN'),
    'clientKey' => getenv('PAYORDER_CLIENT_KEY'),
    'clientId' => getenv('PAYORDER_CLIENT_ID'),
    'secretKey' => getenv('PAYORDER_SECRET_KEY'),
]);

try {
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
} catch (NotSentException | RejectedException $error) {
    echo "no order was created: {$error->getMessage()}\n";
} catch (OutcomeUnknownException $error) {
    echo "the order may exist: $error->name\n";
    settle($client, $error->statusQuery);
}

/**
 * Asks for the status: a query changes nothing. It does not send the order again, because the
 * customer could then pay twice.
 */
function settle(Client $client, array $query): void
{
    try {
        $status = $client->getStatus($query);
        echo "the service has order $status->orderId: $status->transactionStatus\n";
        echo "its checkout URL is lost: if it stays unpaid, sell under a new order id\n";
    } catch (RejectedException $error) {
        // This does not prove that there is no order: the service may not know it yet.
        echo "the service does not know the order yet; ask again later: {$error->getMessage()}\n";
    } catch (PayorderException $error) {
        echo "still not known; ask again later: {$error->getMessage()}\n";
    }
}
