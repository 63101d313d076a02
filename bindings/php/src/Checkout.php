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
