<?php

// A sale: creates an order, shows where the customer pays, waits for the payment and verifies it.
//
//     php sale.php JOURNAL ORDER_ID AMOUNT
//
// If the answer is lost, or the program was killed while it sent the order and runs again, it does
// not send the order a second time: it asks for its status.

declare(strict_types=1);

require __DIR__ . '/../autoload.php'; // with Composer: vendor/autoload.php

use Payorder\{Client, DuplicateException, Library, NotSentException, Order};
use Payorder\{OutcomeUnknownException, PayorderException, RejectedException};

[, $journal, $orderId, $amount] = $argv;
$client = Client::fromEnv(['journal' => $journal]);
// At each start: one verdict for each open order.
foreach ($client->recover()->sales as $sale) {
    echo "order $sale->orderId: $sale->verdict $sale->url\n";
}

// An order needs identifiers that were never used before.
$order = new Order(
    amount: $amount, // text, never a float
    merchantTxnId: "T-$orderId",
    orderId: $orderId,
    payMode: 'all',
    merchantId: 'M-1',
    productInfo: 'Two coffees ' . getenv('PAYORDER_SAMPLE_MARKER'), // a fault of the sandbox
    customerName: 'Asha Rao',
    customerMobile: '9000000001',
    customerEmail: 'asha@example.com',
    redirectionURL: 'https://shop.example.com/return',
    currencyCode: 'INR',
);
try {
    $checkout = $client->createOrder($order);
} catch (NotSentException | RejectedException $error) {
    exit("no order was created: {$error->getMessage()}\n");
} catch (OutcomeUnknownException $error) {
    echo "the order may exist: $error->name\n";
    if ($error instanceof DuplicateException) {
        echo "order {$error->previous->orderId} is in the journal as {$error->previous->state}\n";
    }
    try {
        // Its checkout URL is lost. If it is not paid, a person decides whether to sell again.
        exit("the service says: {$client->getStatus($error)->transactionStatus}\n");
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
    $expected = ['orderId' => $orderId, 'amount' => $amount];
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
