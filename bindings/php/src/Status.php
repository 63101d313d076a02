<?php

declare(strict_types=1);

namespace Payorder;

/** What the service says about an order. It proves no payment: see Library::verifyPayment. */
final class Status implements \JsonSerializable
{
    use Shown;

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

    private function shown(): array
    {
        return ['orderId' => $this->orderId, 'amount' => $this->amount,
            'transactionStatus' => $this->transactionStatus, 'date' => $this->date];
    }
}
