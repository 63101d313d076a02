<?php

declare(strict_types=1);

namespace Payorder;

/** A field that breaks a rule of the service's interface. */
final class Violation
{
    public function __construct(
        public readonly string $field,
        public readonly string $rule,
        public readonly string $message,
    ) {
    }
}
