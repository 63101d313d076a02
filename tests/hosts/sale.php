<?php

use Payorder\{Client, PayorderException};

require getenv('PAYORDER_PHP');
$id = $_GET['order'];
try {
    echo Client::fromEnv()->createOrder(['orderId' => $id, 'merchantTxnId' => "T-$id"] + json_decode(getenv('ORDER'), true))->url;
} catch (PayorderException $error) {
    echo get_class($error);
}
