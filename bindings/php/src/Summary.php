<?php

declare(strict_types=1);

namespace Payorder;

/** Counts the results of many queries. */
final class Summary
{
    public readonly int $asked;
    public readonly int $ok;
    public readonly int $rejected;
    public readonly int $unknown;
    public readonly int $notSent;
    /** The callback ended the call, or it was cancelled. */
    public readonly bool $stopped;
    public readonly int $elapsedMs;
    /** @var array<string, int> how often each text occurred */
    public readonly array $transactionStatus;

    /** @internal */
    public function __construct(public readonly string $raw)
    {
        $json = new Json($raw);
        foreach (['asked', 'ok', 'rejected', 'unknown', 'notSent', 'elapsedMs'] as $key) {
            $this->$key = $json->integer("/$key") ?? 0;
        }
        $this->stopped = $json->isTrue('/stopped');
        $this->transactionStatus = $json->value('/transactionStatus') ?? [];
    }
}
