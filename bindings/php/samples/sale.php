<?php

// A sale: creates an order, shows where the customer pays, waits for the payment and verifies it.
//
//     php sale.php ORDER_ID AMOUNT

declare(strict_types=1);

require __DIR__ . '/till.php';

use Payorder\{Client, Library, NotSentException, OutcomeUnknownException, PayorderException};
use Payorder\RejectedException;

[, $orderId, $amount] = $argv;
$began = new DateTimeImmutable();
$client = Client::fromEnv();
try {
    $checkout = $client->createOrder(newOrder($orderId, $amount));
} catch (NotSentException | RejectedException $error) {
    exit("no order was created: {$error->getMessage()}\n");
} catch (OutcomeUnknownException $error) {
    echo "the order may exist: {$error->action->value}: {$error->getMessage()}\n";
    if ($error->checkoutUrl !== null) {
        echo "if it is not paid, the page is $error->checkoutUrl\n";
    }
    // The answer was lost. A query changes nothing.
    try {
        $status = $client->getStatus($error);
        // Without its checkout URL, and if it is not paid, a person decides whether to sell again.
        exit("the service has order $status->orderId: $status->transactionStatus\n");
    } catch (PayorderException $later) {
        // Even "no such order" proves nothing: the service may not know it yet.
        exit("still not known; ask again later: {$later->getMessage()}\n");
    }
}
echo "send the customer to $checkout->url\n";

try {
    $waited = $client->waitForPayment($orderId, ['wait' => 300]);
    if ($waited->status === null) {
        exit("open: no status was seen: {$waited->error?->getMessage()}\n");
    }
    // A final status does not prove a payment: the amount may be wrong.
    $expected = ['orderId' => $orderId, 'amount' => $amount, 'notBefore' => $began];
    $payment = Library::verifyPayment($expected, $waited->status);
} catch (PayorderException $error) {
    exit("open: the customer can still pay; ask for the status: {$error->getMessage()}\n");
}
$status = $waited->status;
if ($payment->paid) {
    echo "paid: $amount for $orderId\n";
} elseif ($status->completed || $status->refundStatus !== '' || $status->refundType !== '') {
    echo "check: money moved, not as expected; show it to a person\n";
} else {
    echo "open: not paid yet, and the customer can still pay\n";
}
foreach ($payment->reasons as $reason) {
    echo "  $reason->check is \"$reason->actual\" instead of \"$reason->expected\"\n";
}
