<?php

// Creates an order with only some memory left: ORDER_ID FREE_BYTES

declare(strict_types=1);

require __DIR__ . '/support.php';

$client = client(getenv('PAYORDER_CONFIG') ? [] : ['maxResponseBytes' => 4 << 20]);
$order = ['orderId' => $argv[1]] + order('sandbox:too-large')->toArray();
ini_set('memory_limit', (string) (memory_get_usage(true) + (int) $argv[2]));
ini_set('display_errors', '1');
echo 'created ', $client->createOrder($order)->url, "\n";
