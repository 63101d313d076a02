<?php

// A restart after a crash: the journal knows which orders may have been sent.
//
//     php restart.php JOURNAL ORDER_ID
//
// Run it, kill it while it waits for the service, and run it again: it does not send the order a
// second time, but asks for its status.

declare(strict_types=1);

require __DIR__ . '/till.php';

use Payorder\{Action, Client, NotSentException, OutcomeUnknownException, RejectedException};

[, $journal, $orderId] = $argv;
try {
    $client = Client::fromEnv(['journal' => $journal, 'timeout' => 5]);
    // At each start: one verdict for each open order, and for each sale that the till's own records
    // do not call finished. The time limit of an order that a killed program was sending must pass
    // first.
    $open = [['orderId' => $orderId, 'amount' => '249.50']];
    $sales = $client->recover($open, ['wait' => 10])->sales;
    foreach ($sales as $sale) {
        echo "order $sale->orderId: $sale->verdict $sale->transactionStatus $sale->url\n";
    }
    // This sale is the first. After any other verdict, the order may exist. After not_in_journal
    // it may, too, if this journal was restored, replaced or pruned.
    if (in_array($sales[0]->verdict, ['not_in_journal', 'not_sent', 'refused'], true)) {
        $checkout = $client->createOrder(newOrder($orderId, '249.50'));
        echo "send the customer to $checkout->url\n";
    }
} catch (NotSentException | RejectedException $error) {
    stop("this call created no order: {$error->getMessage()}");
} catch (OutcomeUnknownException $error) {
    // Also a DuplicateException: another program has sent it meanwhile.
    echo "the order may exist: {$error->action->value}: {$error->getMessage()}\n";
    // The page of an order that exists already may be another sale's.
    $page = $error->action === Action::AskPerson ? null : $error->checkoutUrl;
    $page ??= $error->previous?->url; // the journal's
    if ($page !== null) {
        echo "if it is not paid, the page is $page\n";
    }
}
