<?php

declare(strict_types=1);

namespace Payorder;

/**
 * What print_r, var_dump and json_encode show of an object: nothing that belongs in no log.
 *
 * @internal
 */
trait Shown
{
    /** @return array<string, mixed> */
    public function __debugInfo(): array
    {
        return $this->shown();
    }

    /** @return array<string, mixed> */
    public function jsonSerialize(): array
    {
        return $this->shown();
    }

    /** @return array<string, mixed> */
    abstract private function shown(): array;
}
