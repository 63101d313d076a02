<?php

declare(strict_types=1);

namespace Payorder;

/** A started call that has ended. */
final class Ended
{
    /** @internal */
    public function __construct(
        /** The number that Client::start returned. */
        public readonly int $id,
        private readonly mixed $value,
        /** Its exception, or null. */
        public readonly ?PayorderException $error,
    ) {
    }

    /**
     * What the blocking method would have returned, or thrown.
     *
     * @throws PayorderException
     */
    public function value(): Checkout|Status|Waited|Recovered|Resolved|Checked
    {
        return $this->value ?? throw $this->error;
    }
}
