<?php

// A nightly reconciliation: asks for the status of every order in a CSV file with the columns order
// id and amount, without a heading line, and prints a verdict for each.
//
//     php reconciliation.php ORDERS.CSV
//
// The exit status is 0 if every order is paid as expected, otherwise 2.

declare(strict_types=1);

require __DIR__ . '/till.php';

use Payorder\{Client, Library, PayorderException, StatusResult};

$orders = [];
$file = fopen('php://temp', 'r+');
fwrite($file, preg_replace('/^\xEF\xBB\xBF/', '', file_get_contents($argv[1])));
rewind($file);
for ($line = 1; ($row = fgetcsv($file, null, ',', '"', '')) !== false; $line++) {
    if ($row === [null]) {
        continue; // an empty line
    }
    if (($row[1] ?? '') === '') {
        fwrite(STDERR, "line $line is not an order and an amount\n");
        exit(1);
    }
    $orders[] = ['orderId' => $row[0], 'amount' => $row[1]];
}
if (!$orders) {
    fwrite(STDERR, "no orders in $argv[1]\n");
    exit(1);
}
$client = Client::fromEnv();

function verdict(array $order, StatusResult $result): string
{
    if ($result->status === null) {
        return 'no status';
    }
    try {
        $payment = Library::verifyPayment($order, $result->status);
    } catch (PayorderException) {
        return 'cannot be checked';
    }
    // If it differs, money may have moved all the same: a person looks at it.
    return $payment->paid ? 'matched' : "differs: {$payment->reasons[0]->check}";
}

$matched = 0;
$each = function (StatusResult $result) use ($orders, &$matched): void {
    $order = $orders[$result->index];
    $verdict = verdict($order, $result);
    $matched += $verdict === 'matched' ? 1 : 0;
    echo "{$order['orderId']},{$order['amount']},$verdict\n";
};
$options = ['concurrency' => 16, 'ratePerSecond' => 200, 'timeoutMs' => 10_000];
$summary = $client->getStatuses(array_column($orders, 'orderId'), $each, $options);
fwrite(STDERR, "$matched of $summary->asked orders matched\n");
exit($matched === count($orders) ? 0 : 2);
