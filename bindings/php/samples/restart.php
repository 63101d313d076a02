<?php

// A restart after a crash: the journal knows which orders may have been sent.
//
//     php restart.php JOURNAL ORDER_ID
//
// Run it, kill it while it waits for the service, and run it again: it does not send the order a
// second time, but asks for its status.

declare(strict_types=1);

require __DIR__ . '/till.php';

use Payorder\{Client, NotSentException, OutcomeUnknownException, PayorderException, RejectedException};

[, $journal, $orderId] = $argv;
try {
    $client = Client::fromEnv(['journal' => $journal]);
    // At each start: one verdict for each open order, and for each sale that the till's own records
    // do not call finished.
    foreach ($client->recover([['orderId' => $orderId, 'amount' => '249.50']])->sales as $sale) {
        echo "order $sale->orderId: $sale->verdict $sale->url\n";
    }
    $checkout = $client->createOrder(newOrder($orderId, '249.50'));
    echo "send the customer to $checkout->url\n";
} catch (NotSentException | RejectedException $error) {
    stop("no order was created: {$error->getMessage()}");
} catch (OutcomeUnknownException $error) {
    // Also a DuplicateException: the order was sent before.
    echo "the order may exist: {$error->action->value}: {$error->getMessage()}\n";
    if ($error->previous?->url !== null) {
        echo "the customer pays at {$error->previous->url}\n";
    }
    try {
        echo "the service says: {$client->getStatus($error)->transactionStatus}\n";
    } catch (PayorderException $later) {
        stop("still not known; ask again later: {$later->getMessage()}");
    }
}
