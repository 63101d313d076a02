<?php

declare(strict_types=1);

require __DIR__ . '/till.php';

[, $count, $prefix] = $argv;
$client = \Payorder\Client::fromEnv();
for ($number = 0; $number < (int) $count; $number++) {
    $checkout = $client->createOrder(newOrder("$prefix-$number", '249.50', 'Two coffees'));
    if ($checkout->url === '') {
        exit(1);
    }
}
