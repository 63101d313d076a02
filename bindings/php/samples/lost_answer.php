<?php

// A lost answer: the connection breaks after the order was sent, and the program asks for its
// status. With the sandbox, sandbox:drop-after-commit in PRODUCT loses the answer.
//
//     php lost_answer.php ORDER_ID AMOUNT PRODUCT

declare(strict_types=1);

require __DIR__ . '/till.php';

use Payorder\{Client, NotSentException, OutcomeUnknownException, PayorderException};
use Payorder\RejectedException;

if ($argc !== 4) {
    fwrite(STDERR, "usage: php lost_answer.php ORDER_ID AMOUNT PRODUCT\n");
    exit(1);
}
[, $orderId, $amount, $product] = $argv;
$client = Client::fromEnv();

try {
    $checkout = $client->createOrder(newOrder($orderId, $amount, $product));
    echo "send the customer to $checkout->url\n";
} catch (NotSentException | RejectedException $error) {
    echo "no order was created: {$error->getMessage()}\n";
} catch (OutcomeUnknownException $error) {
    echo "the order may exist: $error->name\n";
    ask($client, $error->statusQuery);
}

/**
 * Asks for the status: a query changes nothing. It does not send the order again, because the
 * customer could then pay twice.
 */
function ask(Client $client, array $query): void
{
    try {
        $status = $client->getStatus($query);
        echo "the service has order $status->orderId: $status->transactionStatus\n";
        echo "its checkout URL is lost: if it is not paid, a person decides what to do\n";
    } catch (PayorderException $error) {
        // Even "no such order" proves nothing: the service may not know it yet.
        echo "still not known; ask again later: {$error->getMessage()}\n";
    }
}
