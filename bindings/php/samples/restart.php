<?php

// A restart after a crash: with a journal, the next run knows which orders may exist, and asks
// for their status before it sells again.
//
//     php restart.php JOURNAL sell ORDER_ID AMOUNT PRODUCT
//     php restart.php JOURNAL ask

declare(strict_types=1);

require __DIR__ . '/till.php';

use Payorder\{Client, DuplicateException, PayorderException};

if (!($argc === 6 && $argv[2] === 'sell' || $argc === 3 && $argv[2] === 'ask')) {
    fwrite(STDERR, "usage: php restart.php JOURNAL sell ORDER_ID AMOUNT PRODUCT\n");
    fwrite(STDERR, "       php restart.php JOURNAL ask\n");
    exit(1);
}
$client = Client::fromEnv(['journal' => $argv[1]]);
try {
    $argv[2] === 'sell' ? sell($client, $argv[3], $argv[4], $argv[5]) : ask($client);
} catch (DuplicateException $error) {
    echo "order {$error->previous->orderId} was sent before: {$error->previous->state}\n";
    exit(2);
} catch (PayorderException $error) {
    echo $error->getMessage(), "\n";
    exit(2);
}

/** Creates an order. The journal has it before it is sent, and still after a power cut. */
function sell(Client $client, string $orderId, string $amount, string $product): void
{
    $checkout = $client->createOrder(newOrder($orderId, $amount, $product));
    echo "send the customer to $checkout->url\n";
}

/** Asks about every order that is open, and lists all. */
function ask(Client $client): void
{
    $resolved = $client->journalResolve();
    echo "asked about {$resolved->summary->asked} orders,",
        " the service knows {$resolved->summary->ok}\n";
    foreach ($client->journalList() as $entry) {
        echo "$entry->orderId $entry->amount $entry->state $entry->transactionStatus\n";
    }
    if ($resolved->entries !== [] || $resolved->summary->ok < $resolved->summary->asked) {
        echo "orders are still open without a status: ask again later\n";
        exit(2);
    }
}
