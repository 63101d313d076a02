<?php

declare(strict_types=1);

namespace Payorder;

/** A check of Payorder::verifyPayment that failed. */
final class Reason
{
    /** @internal */
    public function __construct(
        public readonly string $check,
        public readonly string $expected,
        public readonly string $actual,
    ) {
    }
}
