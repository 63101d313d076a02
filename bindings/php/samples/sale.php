<?php

// A sale: creates an order, shows where the customer pays, waits for the payment and verifies it.
//
//     php sale.php ORDER_ID AMOUNT PRODUCT
//
// The exit status is 0 if the order is paid, 1 if nothing was sent or the service refused the
// order, and 2 if the order may exist, can still be paid, or a person must look at it.

declare(strict_types=1);

require __DIR__ . '/till.php';

use Payorder\{Client, Library, NotSentException, OutcomeUnknownException, PayorderException};
use Payorder\RejectedException;

if ($argc !== 4) {
    fwrite(STDERR, "usage: php sale.php ORDER_ID AMOUNT PRODUCT\n");
    exit(1);
}
[, $orderId, $amount, $product] = $argv;
$client = Client::fromEnv();

try {
    $checkout = $client->createOrder(newOrder($orderId, $amount, $product));
} catch (NotSentException | RejectedException $error) {
    echo "no order was created: {$error->getMessage()}\n";
    exit(1);
} catch (OutcomeUnknownException $error) {
    echo "the order may exist: ask for its status before you sell again:",
        " {$error->getMessage()}\n";
    exit(2);
}
echo "send the customer to $checkout->url\n";

try {
    $waited = $client->waitForPayment($orderId, ['waitMs' => 300_000]);
    if ($waited->status === null) {
        echo "open: no status was seen: {$waited->error?->getMessage()}\n";
        exit(2);
    }
    // A final status does not prove a payment: the amount may be wrong.
    $payment = Library::verifyPayment(
        ['orderId' => $orderId, 'amount' => $amount],
        $waited->status,
    );
} catch (PayorderException $error) {
    echo "open: the customer can still pay; ask for the status: {$error->getMessage()}\n";
    exit(2);
}
if ($payment->paid) {
    echo "paid: $amount for $orderId\n";
    exit(0);
}
$status = $waited->status;
echo $status->completed || $status->refundStatus !== '' || $status->refundType !== ''
    ? "check: money moved, not as expected; show it to a person\n"
    : "open: not paid yet, and the customer can still pay\n";
foreach ($payment->reasons as $reason) {
    echo "  $reason->check is \"$reason->actual\" instead of \"$reason->expected\"\n";
}
exit(2);
