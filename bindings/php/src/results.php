<?php

declare(strict_types=1);

namespace Payorder;

/** An order that was created. */
final class Checkout
{
    /** Send the customer there. */
    public readonly string $url;
    public readonly string $responseCode;
    public readonly string $responseMessage;

    /** @internal */
    public function __construct(
        /** The complete result, with fields that this version does not know. */
        public readonly string $raw,
    ) {
        // By the library, which has checked this URL and no other.
        $this->url = Json::get($raw, '/data/url') ?? '';
        $this->responseCode = Json::get($raw, '/responseCode') ?? '';
        $this->responseMessage = Json::get($raw, '/responseMessage') ?? '';
    }
}

/** What the service says about an order. It proves no payment: see Payorder::verifyPayment. */
final class Status
{
    public readonly string $responseCode;
    public readonly string $responseMessage;
    public readonly string $merchantRefId;
    public readonly string $orderId;
    public readonly string $transactionId;
    public readonly string $amount;
    public readonly string $customerName;
    public readonly string $customerMobile;
    public readonly string $customerEmail;
    /** "Completed" for a finished payment; other texts are the service's own. */
    public readonly string $transactionStatus;
    /** MM/DD/YYYY hh:mm:ss AM or PM, without a time zone. */
    public readonly string $transactionDate;
    /** Not empty after a refund. */
    public readonly string $refundStatus;
    public readonly string $refundType;
    public readonly string $merchantName;
    public readonly string $settlementStatus;
    public readonly string $settlementDate;
    public readonly string $payMode;
    /** Whether transactionStatus is "Completed"; not whether the order is paid. */
    public readonly bool $completed;
    /** transactionDate as 2026-11-21T14:05:06, or null if it is not a date. */
    public readonly ?string $date;

    private const DATA = [
        'merchantRefId', 'orderId', 'transactionId', 'amount', 'customerName', 'customerMobile',
        'customerEmail', 'transactionStatus', 'transactionDate', 'refundStatus', 'refundType',
        'merchantName', 'settlementStatus', 'settlementDate', 'payMode',
    ];

    /** @internal */
    public function __construct(
        /** The complete status, with fields that this version does not know. */
        public readonly string $raw,
    ) {
        $json = new Json($raw);
        $this->responseCode = $json->text('/responseCode') ?? '';
        $this->responseMessage = $json->text('/responseMessage') ?? '';
        foreach (self::DATA as $key) {
            $this->$key = $json->text("/data/$key") ?? '';
        }
        $this->completed = $json->isTrue('/derived/completed');
        $this->date = $json->text('/derived/transactionDate');
    }
}

/** The end of Client::waitForPayment. */
final class Waited
{
    /** Whether the status is final; this does not mean that the order is paid. */
    public readonly bool $final;
    public readonly bool $timedOut;
    public readonly int $polls;
    /** The last status seen, or null if none was. */
    public readonly ?Status $status;
    /** Of the last query, if the time ran out and it failed. */
    public readonly ?PayorderException $error;

    /** @internal */
    public function __construct(public readonly string $raw)
    {
        $json = new Json($raw);
        $this->final = $json->isTrue('/final');
        $this->timedOut = $json->isTrue('/timedOut');
        $this->polls = $json->integer('/polls') ?? 0;
        $status = $json->raw('/status');
        $this->status = $status === null ? null : new Status($status);
        $error = $json->raw('/error');
        $this->error = $error === null ? null : PayorderException::from(
            $json->integer('/error/result') ?? Result::INTERNAL_IN_FLIGHT,
            "{\"error\":$error}",
        );
    }
}

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

/** A check of Payorder::verifyPayment that failed. */
final class Reason
{
    /** @internal */
    public function __construct(
        public readonly string $check,
        public readonly string $expected,
        public readonly string $actual,
    ) {
    }
}

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
        $this->reasons = array_map(
            static fn (array $one): Reason =>
                new Reason($one['check'], $one['expected'], $one['actual']),
            $json->value('/reasons') ?? [],
        );
        $this->unverifiable = $json->value('/unverifiable') ?? [];
    }
}

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

/** The end of Client::journalResolve. */
final class Resolved
{
    public readonly Summary $summary;
    /** @var list<JournalEntry> those that are still unresolved */
    public readonly array $entries;

    /** @internal */
    public function __construct(public readonly string $raw)
    {
        $json = new Json($raw);
        $this->summary = new Summary($json->raw('/summary') ?? '{}');
        $this->entries = array_map(
            static fn (array $one): JournalEntry => new JournalEntry($one),
            $json->value('/entries') ?? [],
        );
    }
}
