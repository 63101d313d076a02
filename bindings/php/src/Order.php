<?php

declare(strict_types=1);

namespace Payorder;

/** The order for Client::createOrder. All eleven fields are sent unchanged. */
final class Order implements \JsonSerializable
{
    use Shown;

    public readonly string $amount;
    public readonly string $payMode;

    public function __construct(
        /** Decimal text such as "100.00", at least 1; never a float, which could lose paise. */
        mixed $amount,
        /** Your unique identifier of the transaction. */
        public readonly string $merchantTxnId,
        /** Your unique identifier of the order. */
        public readonly string $orderId,
        PayMode|string $payMode,
        /** Your identifier at the service. */
        public readonly string $merchantId,
        public readonly string $productInfo,
        #[\SensitiveParameter]
        public readonly string $customerName,
        #[\SensitiveParameter]
        public readonly string $customerMobile,
        #[\SensitiveParameter]
        public readonly string $customerEmail,
        /** The return URL: where the customer goes after the payment. */
        public readonly string $redirectionURL,
        /** Such as INR. */
        public readonly string $currencyCode,
    ) {
        // A parameter of the type string would take 100.10 as "100.1".
        if (!is_string($amount)) {
            $type = get_debug_type($amount);
            throw new \TypeError("the amount must be a string such as \"100.10\", not $type");
        }
        $this->amount = $amount;
        $this->payMode = is_string($payMode) ? $payMode : $payMode->value;
    }

    /** @return array<string, string> */
    public function toArray(): array
    {
        return get_object_vars($this);
    }

    private function shown(): array
    {
        return ['orderId' => $this->orderId, 'merchantTxnId' => $this->merchantTxnId,
            'amount' => $this->amount, 'payMode' => $this->payMode];
    }
}
