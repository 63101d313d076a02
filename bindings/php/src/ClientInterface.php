<?php

declare(strict_types=1);

namespace Payorder;

/** The calls of a shop, as Client makes them. The tests of a program can give it another class. */
interface ClientInterface
{
    public function createOrder(Order|array $order, array $options = []): Checkout;

    // Not the type string, which would take 1e16 as "1.0E+16". See Client.
    public function getStatus(mixed $query, array $options = []): Status;

    public function waitForPayment(mixed $query, array $options = []): Waited;

    public function getStatuses(iterable $queries, callable $each, array $options = []): Summary;

    public function recover(?array $sales = null, array $options = []): Recovered;

    public function check(array $options = []): Checked;
}
