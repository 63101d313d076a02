<?php

declare(strict_types=1);

namespace Payorder;

/** What the service says about an order. It proves no payment: see Library::verifyPayment. */
final class Status implements \JsonSerializable
{
    use Shown;
    use StatusFields;

    /** Whether transactionStatus is "Completed"; not whether the order is paid. */
    public readonly bool $completed;
    /** transactionDate as 2026-11-21T14:05:06, or null if it is not a date. */
    public readonly ?string $date;

    /** @internal */
    public function __construct(
        /** The complete status, with fields that this version does not know. */
        public readonly string $raw,
    ) {
        $json = new Json($raw);
        $this->read($json);
        $this->completed = $json->isTrue('/derived/completed');
        $this->date = $json->text('/derived/transactionDate');
    }

    private function shown(): array
    {
        return ['orderId' => $this->orderId, 'amount' => $this->amount,
            'transactionStatus' => $this->transactionStatus, 'date' => $this->date];
    }
}
