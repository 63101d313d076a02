<?php

// A lost answer: the connection breaks after the order was sent, and the program asks for its
// status. It does not send the order again, because the customer could then pay twice.
//
//     php lost_answer.php ORDER_ID

declare(strict_types=1);

require __DIR__ . '/till.php';

use Payorder\{Client, OutcomeUnknownException, PayorderException};

$client = Client::fromEnv();
try {
    // The sandbox keeps this order and cuts the connection.
    $order = newOrder($argv[1], '249.50', 'Two coffees sandbox:drop-after-commit');
    echo "send the customer to {$client->createOrder($order)->url}\n";
} catch (OutcomeUnknownException $error) {
    echo "the order may exist: $error->name, {$error->action->value}\n";
    try {
        $status = $client->getStatus($error);
        echo "the service has order $status->orderId: $status->transactionStatus\n";
        // Its checkout URL is lost. If it is not paid, a person decides whether to sell again.
    } catch (PayorderException $later) {
        // Even "no such order" proves nothing: the service may not know it yet.
        echo "still not known; ask again later: {$later->getMessage()}\n";
    }
}
