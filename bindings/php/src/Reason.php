<?php

declare(strict_types=1);

namespace Payorder;

/** A check of Library::verifyPayment that failed. */
final class Reason
{
    /** @internal */
    public function __construct(
        public readonly string $check,
        public readonly string $expected,
        public readonly string $actual,
    ) {
    }

    /**
     * @internal
     * @param list<array<string, string>> $reasons
     * @return list<self>
     */
    public static function all(array $reasons): array
    {
        return array_map(
            static fn (array $one): self =>
                new self($one['check'], $one['expected'], $one['actual']),
            $reasons,
        );
    }
}
