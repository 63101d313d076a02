<?php

declare(strict_types=1);

namespace Payorder;

/**
 * Cancels the calls that have it as the option `cancellation`, and no others. It stays cancelled:
 * use a new one for the next sale. A call blocks its PHP process, so cancel() is called from a log
 * function or a callback, or before the call.
 */
final class Cancellation
{
    /** @internal The library's token. */
    public readonly string $token;

    public function __construct()
    {
        $out = Native::new('const char *[1]');
        $result = Native::ffi()->payorder_cancellation_new($out);
        if ($result !== Result::OK) {
            throw PayorderException::own($result, Cause::BUG, Action::ReportBug, 'no token');
        }
        $this->token = \FFI::string($out[0]);
        Fatal::destruct($this);
    }

    /** Ends the calls that have it within 100 ms, and later ones at once. */
    public function cancel(): void
    {
        $result = Native::ffi()->payorder_cancellation_cancel($this->token);
        if ($result !== Result::OK) {
            throw PayorderException::own(
                $result,
                Cause::CANCELLATION_FREED,
                Action::FixRequest,
                'the cancellation is closed; create another one',
            );
        }
    }

    /** Frees it. A second time does nothing: the library knows no such token then. */
    public function close(): void
    {
        Native::ffi()->payorder_cancellation_free($this->token);
    }

    public function __destruct()
    {
        $this->close();
    }

    private function __clone()
    {
    }

    /** A copy would free it. */
    public function __serialize(): array
    {
        throw new \LogicException('a cancellation cannot be serialized: create another one');
    }
}
