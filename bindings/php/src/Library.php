<?php

declare(strict_types=1);

namespace Payorder;

/** The functions that use no network. Their errors are UnusableTextException. */
final class Library
{
    private static ?\FFI\CData $idle = null;

    /**
     * Compares a status with what was expected. The order is paid only if `paid` is true.
     *
     * @param array{orderId: string, amount: string, transactionId?: string,
     *     notBefore?: \DateTimeInterface|string} $expected `notBefore` is when the sale began
     * @param Status|string $status a status, or the service's response as JSON
     */
    public static function verifyPayment(
        #[\SensitiveParameter] array $expected,
        #[\SensitiveParameter] Status|string $status,
    ): Verification {
        $began = $expected['notBefore'] ?? null;
        if ($began instanceof \DateTimeInterface) {
            $expected['notBefore'] = $began->format(\DateTimeInterface::RFC3339);
        }
        return new Verification(new Json(self::offline('verify_payment', static fn (): array => [
            Text::object($expected, 'what was expected'),
            Text::check(is_string($status) ? $status : $status->raw, 'the status'),
        ])));
    }

    /** Reads the transaction from the URL on which the customer came back. */
    public static function parseReturnUrl(string $url): ReturnUrl
    {
        $texts = static fn (): array => [Text::check($url, 'the URL')];
        return new ReturnUrl(new Json(self::offline('parse_return_url', $texts)));
    }

    /**
     * Checks an order and returns the body that createOrder would send.
     *
     * @param Order|array<string, mixed> $order
     * @param array{returnUrlField?: string, extraFields?: array<string, string>} $options
     */
    public static function buildCreateOrder(
        #[\SensitiveParameter] Order|array $order,
        #[\SensitiveParameter] array $options = [],
    ): string {
        return self::offline('build_create_order', static fn (): array => [
            Text::object(is_array($order) ? $order : $order->toArray(), 'the order'),
            Text::object($options, 'the options'),
        ]);
    }

    /**
     * Checks a query and returns the body that getStatus would send.
     *
     * @param array<string, mixed> $query
     */
    public static function buildGetStatus(#[\SensitiveParameter] array $query): string
    {
        $texts = static fn (): array => [Text::object($query, 'the query')];
        return self::offline('build_get_status', $texts);
    }

    /** The version of the loaded library. */
    public static function version(): string
    {
        return Native::ffi()->payorder_version();
    }

    /**
     * What the library holds, to find leaks.
     *
     * @return array{clients: int, strings: int, calls: int}
     */
    public static function live(): array
    {
        return [
            'clients' => Native::ffi()->payorder_live_clients(),
            'strings' => Native::ffi()->payorder_live_strings(),
            'calls' => Native::ffi()->payorder_live_calls(),
        ];
    }

    /**
     * Calls a function about every 50 ms while a call waits; null ends that, and so does the end of
     * a request. If it returns 'cancel' or throws, the call is cancelled. Set it outside of calls.
     */
    public static function setIdle(?callable $idle): void
    {
        Native::ffi()->payorder_set_idle(null, null);
        if (self::$idle !== null) {
            Callbacks::remove(self::$idle);
        }
        self::$idle = $idle === null ? null : Callbacks::add($idle);
        if (self::$idle !== null) {
            Native::ffi()->payorder_set_idle(Callbacks::idle(), \FFI::addr(self::$idle));
        }
    }

    /** @param callable(): list<string> $texts */
    private static function offline(
        string $name,
        #[\SensitiveParameter] callable $texts,
    ): string {
        try {
            return (new Received())->call("payorder_$name", ...$texts());
        } catch (PayorderException $error) {
            throw new UnusableTextException($error->result, $error->raw);
        }
    }
}
