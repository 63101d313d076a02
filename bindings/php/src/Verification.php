<?php

declare(strict_types=1);

namespace Payorder;

/** Whether an order is paid. */
final class Verification
{
    public readonly bool $paid;
    /** @var list<Reason> the checks that failed */
    public readonly array $reasons;
    /** @var list<string> fields of the order that no status has */
    public readonly array $unverifiable;

    /** @internal */
    public function __construct(public readonly string $raw)
    {
        $json = new Json($raw);
        $this->paid = $json->isTrue('/paid');
        $this->reasons = Reason::all($json->value('/reasons') ?? []);
        $this->unverifiable = $json->value('/unverifiable') ?? [];
    }
}
