<?php

// A sale: creates an order, shows where the customer pays, waits for the payment and verifies it.
//
//     php sale.php ORDER_ID AMOUNT
//
// The exit status is 0 if the order is paid, otherwise 1.

declare(strict_types=1);

require __DIR__ . '/till.php';

use Payorder\{Action, Client, Library, NotSentException, OutcomeUnknownException, PayorderException};
use Payorder\RejectedException;

[, $orderId, $amount] = $argv;
$began = new DateTimeImmutable();
try {
    $client = Client::fromEnv();
    $checkout = $client->createOrder(newOrder($orderId, $amount));
} catch (NotSentException | RejectedException $error) {
    stop("this call created no order: {$error->getMessage()}");
} catch (OutcomeUnknownException $error) {
    echo "the order may exist: {$error->action->value}: {$error->getMessage()}\n";
    // The page of an order that exists already may be another sale's.
    $page = $error->action === Action::AskPerson ? null : $error->checkoutUrl;
    $page ??= $error->previous?->url; // the journal's
    if ($page !== null) {
        echo "if it is not paid, the page is $page\n";
    }
    // The answer was lost. A query changes nothing.
    try {
        $status = $client->getStatus($error);
        // Without its checkout URL, and if it is not paid, a person decides whether to sell again.
        stop("the service has order $status->orderId: $status->transactionStatus");
    } catch (PayorderException $later) {
        // Even "no such order" proves nothing: the service may not know it yet.
        stop("still not known; ask again later: {$later->getMessage()}");
    }
}
echo "send the customer to $checkout->url\n";

try {
    $waited = $client->waitForPayment($orderId, ['wait' => 300]);
    if ($waited->status === null) {
        stop("open: no status was seen: {$waited->error?->getMessage()}");
    }
    // A final status does not prove a payment: the amount may be wrong.
    $expected = ['orderId' => $orderId, 'amount' => $amount, 'notBefore' => $began];
    $payment = Library::verifyPayment($expected, $waited->status);
} catch (PayorderException $error) {
    stop("open: the customer can still pay; ask for the status: {$error->getMessage()}");
}
$status = $waited->status;
// Also a status in other letters than the interface's.
$moved = strtolower(trim($status->transactionStatus)) === 'completed'
    || $status->settlementStatus . $status->settlementDate !== ''
    || $status->refundStatus . $status->refundType !== '';
if ($payment->paid) {
    echo "paid: $amount for $orderId\n";
    exit(0);
}
echo $moved
    ? "check: money moved, not as expected; show it to a person\n"
    : "open: the customer may still pay\n";
foreach ($payment->reasons as $reason) {
    echo "  $reason->check is \"$reason->actual\" instead of \"$reason->expected\"\n";
}
exit(1);
