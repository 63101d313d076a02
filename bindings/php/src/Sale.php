<?php

declare(strict_types=1);

namespace Payorder;

/** What is known about one open sale after Client::recover. */
final class Sale
{
    public readonly string $orderId;
    /** What is known: see "recover" in the README. Treat an unknown text as `unknown`. */
    public readonly string $verdict;
    public readonly string $amount;
    /** Where the customer pays: only with the verdict `payable`. */
    public readonly ?string $url;
    /** @var array<string, string> asks for the order */
    public readonly array $statusQuery;
    public readonly ?string $transactionStatus;
    /** @var list<Reason> the checks that failed: only with the verdict `check` */
    public readonly array $reasons;
    /** The number of its entry in the journal. */
    public readonly ?int $entry;

    /**
     * @internal
     * @param array<string, mixed> $sale
     */
    public function __construct(array $sale)
    {
        $this->orderId = $sale['orderId'];
        $this->verdict = $sale['verdict'];
        $this->amount = $sale['amount'];
        $this->url = $sale['url'];
        $this->statusQuery = $sale['statusQuery'];
        $this->transactionStatus = $sale['transactionStatus'];
        $this->reasons = Reason::all($sale['reasons']);
        $this->entry = $sale['entry'];
    }
}
