<?php

declare(strict_types=1);

namespace Payorder;

/** An order that was created. */
final class Checkout implements \JsonSerializable
{
    use Shown;

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
        $this->url = Json::textOf($raw, '/data/url') ?? '';
        $this->responseCode = Json::textOf($raw, '/responseCode') ?? '';
        $this->responseMessage = Json::textOf($raw, '/responseMessage') ?? '';
    }

    private function shown(): array
    {
        return ['url' => $this->url, 'responseCode' => $this->responseCode];
    }
}
