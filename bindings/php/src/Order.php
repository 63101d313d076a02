<?php

declare(strict_types=1);

namespace Payorder;

/** The order for Client::createOrder. All eleven fields are sent unchanged. */
final class Order implements \JsonSerializable
{
    use Shown;

    /** Decimal text such as "100.00", at least 1. */
    public readonly string $amount;
    /** Your unique identifier of the transaction. */
    public readonly string $merchantTxnId;
    /** Your unique identifier of the order. */
    public readonly string $orderId;
    public readonly string $payMode;
    /** Your identifier at the service. */
    public readonly string $merchantId;
    public readonly string $productInfo;
    public readonly string $customerName;
    public readonly string $customerMobile;
    public readonly string $customerEmail;
    /** The return URL: where the customer goes after the payment. */
    public readonly string $redirectionURL;
    /** Such as INR. */
    public readonly string $currencyCode;

    /**
     * All are strings, and $payMode may be a PayMode. A parameter of the type string would take
     * 100.10 as "100.1", and 1e16 as "1.0E+16".
     *
     * @throws InvalidArgumentException
     */
    public function __construct(
        mixed $amount,
        mixed $merchantTxnId,
        mixed $orderId,
        mixed $payMode,
        mixed $merchantId,
        mixed $productInfo,
        #[\SensitiveParameter]
        mixed $customerName,
        #[\SensitiveParameter]
        mixed $customerMobile,
        #[\SensitiveParameter]
        mixed $customerEmail,
        mixed $redirectionURL,
        mixed $currencyCode,
    ) {
        $payMode = $payMode instanceof PayMode ? $payMode->value : $payMode;
        foreach (get_defined_vars() as $field => $value) {
            $this->$field = Text::text($value, $field);
        }
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
