<?php

declare(strict_types=1);

namespace Payorder;

/** One sending of one order, in the journal. Times are UTC: 2026-11-21T14:05:06.789Z. */
final class JournalEntry
{
    public readonly int $entry;
    public readonly string $orderId;
    public readonly string $merchantTxnId;
    public readonly string $amount;
    public readonly string $currencyCode;
    /** sending, created, rejected, not_sent, unknown or settled */
    public readonly string $state;
    /** The checkout URL, or null if it is not known. */
    public readonly ?string $url;
    /** The baseUrl that the order was sent to. */
    public readonly string $service;
    public readonly ?int $result;
    public readonly ?string $transactionId;
    public readonly ?string $transactionStatus;
    public readonly string $startedAt;
    public readonly string $deadline;
    public readonly string $updatedAt;
    public readonly ?string $note;
    /** @var array<string, string> asks for the order */
    public readonly array $statusQuery;

    /**
     * @internal
     * @param array<string, mixed> $entry
     */
    public function __construct(array $entry)
    {
        $this->entry = $entry['entry'];
        $this->orderId = $entry['orderId'];
        $this->merchantTxnId = $entry['merchantTxnId'];
        $this->amount = $entry['amount'];
        $this->currencyCode = $entry['currencyCode'];
        $this->state = $entry['state'];
        $this->url = $entry['url'];
        $this->service = $entry['service'];
        $this->result = $entry['result'];
        $this->transactionId = $entry['transactionId'];
        $this->transactionStatus = $entry['transactionStatus'];
        $this->startedAt = $entry['startedAt'];
        $this->deadline = $entry['deadline'];
        $this->updatedAt = $entry['updatedAt'];
        $this->note = $entry['note'] ?? null;
        $this->statusQuery = ['searchType' => '1', 'orderId' => $this->orderId];
    }
}
