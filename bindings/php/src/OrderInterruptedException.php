<?php

declare(strict_types=1);

namespace Payorder;

/**
 * The program's own exception, of a signal handler, was thrown when createOrder had its response.
 * The order was created: send the customer to checkout->url. getPrevious() is that exception.
 *
 * It is not a PayorderException, because the call did not fail.
 */
final class OrderInterruptedException extends \RuntimeException
{
    /** @internal */
    public function __construct(public readonly Checkout $checkout, \Throwable $stop)
    {
        $url = $checkout->url;
        parent::__construct("interrupted, but the order was created: $url", 0, $stop);
    }
}
