<?php

declare(strict_types=1);

namespace Payorder;

/** What a return URL says. It proves no payment. */
final class ReturnUrl
{
    public readonly string $transactionId;
    /** @var array<string, string> what to give to getStatus */
    public readonly array $statusQuery;

    /** @internal */
    public function __construct(public readonly string $raw)
    {
        $json = new Json($raw);
        $this->transactionId = $json->text('/transactionId') ?? '';
        $this->statusQuery = $json->value('/statusQuery') ?? [];
    }
}
