<?php

declare(strict_types=1);

namespace Payorder;

/** The result of one query of Client::getStatuses: a status or an error. */
final class StatusResult
{
    /** @internal */
    public function __construct(
        public readonly int $index,
        /** The query as it was given. */
        public readonly mixed $query,
        public readonly ?Status $status,
        public readonly ?PayorderException $error,
    ) {
    }
}
