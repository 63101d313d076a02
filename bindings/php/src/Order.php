<?php

declare(strict_types=1);

namespace Payorder;

/** The order for Client::createOrder. All eleven fields are sent unchanged. */
final class Order
{
    public readonly string $amount;

    public function __construct(
        /** Decimal text such as "100.00", at least 1; never a float, which could lose paise. */
        mixed $amount,
        /** Your unique identifier of the transaction. */
        public readonly string $merchantTxnId,
        /** Your unique identifier of the order. */
        public readonly string $orderId,
        /** all, cc, dc, upi or nb */
        public readonly string $payMode,
        /** Your identifier at the service. */
        public readonly string $merchantId,
        public readonly string $productInfo,
        public readonly string $customerName,
        public readonly string $customerMobile,
        public readonly string $customerEmail,
        /** The return URL: where the customer goes after the payment. */
        public readonly string $redirectionURL,
        /** Such as INR. */
        public readonly string $currencyCode,
    ) {
        // A parameter of the type string would take 100.10 as "100.1". The property does not.
        $this->amount = $amount;
    }

    /** @return array<string, string> */
    public function toArray(): array
    {
        return get_object_vars($this);
    }
}
