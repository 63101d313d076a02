<?php

declare(strict_types=1);

namespace Payorder;

use FFI\CData;

/**
 * The text of one call. It is not lost if something stops PHP code right after the call, such as an
 * exception of a signal handler.
 *
 * @internal
 */
final class Received
{
    private CData $out;
    private ?string $text = null;
    /** What the library said of this call: other exceptions are the program's. */
    public ?PayorderException $error = null;

    public function __construct()
    {
        $this->out = Native::new('char *[1]');
    }

    /**
     * Calls a function whose last argument is out_json. Returns the text, or throws its error. If
     * the program's idle function or signal handler threw, the error has that as getPrevious().
     */
    public function call(string $function, #[\SensitiveParameter] mixed ...$arguments): string
    {
        $result = $this->result($function, $arguments, $thrown);
        $text = $this->text();
        if ($result !== Result::OK) {
            throw $this->error = PayorderException::from($result, $text, $thrown);
        }
        if ($thrown !== null) {
            throw $thrown;
        }
        return $text;
    }

    public function succeeds(string $function, #[\SensitiveParameter] mixed ...$arguments): bool
    {
        $result = $this->result($function, $arguments);
        $this->text(); // frees it, also that of an error
        return $result === Result::OK;
    }

    /** Whether the library has returned a text. */
    public function arrived(): bool
    {
        return $this->text !== null || $this->out[0] !== null;
    }

    /** Copies the library's text and frees it there. */
    public function text(): string
    {
        if ($this->text === null && $this->out[0] !== null) {
            $this->text = \FFI::string($this->out[0]);
        }
        $this->free();
        return $this->text ?? '';
    }

    /** @param array<mixed> $arguments */
    private function result(
        string $function,
        #[\SensitiveParameter] array $arguments,
        ?\Throwable &$thrown = null,
    ): int {
        try {
            return self::guarded($function, [...$arguments, $this->out], $thrown);
        } catch (\Throwable $stop) {
            // Not in a destructor: there, a handler could run when the caller returns its result.
            $this->text();
            throw $stop;
        }
    }

    /** Signal handlers wait from now on. Returns whether they did not before. */
    public static function hold(): bool
    {
        $async = function_exists('pcntl_async_signals') && pcntl_async_signals();
        try {
            return $async && pcntl_async_signals(false);
        } catch (\Throwable $stop) {
            // A handler that had still to run has thrown. The caller does not get the value.
            pcntl_async_signals(true);
            throw $stop;
        }
    }

    /** Signal handlers run again, if `hold` gave true. */
    public static function release(bool $async): void
    {
        if ($async) {
            pcntl_async_signals(true);
            pcntl_signal_dispatch();
        }
    }

    /**
     * Calls a function of the library.
     *
     * @param array<mixed> $arguments
     * @param \Throwable|null $thrown what the idle function or a signal handler threw
     */
    public static function guarded(
        string $function,
        #[\SensitiveParameter] array $arguments,
        ?\Throwable &$thrown = null,
    ): int {
        // An exception that a callback makes has the arguments in its trace.
        foreach ($arguments as &$argument) {
            $argument = is_string($argument) ? Native::text($argument) : $argument;
        }
        // A signal handler that throws at the begin of a callback would end the process. It runs in
        // the idle function, or after the call.
        $async = self::hold();
        // PHP would end the program in a callback that prints when the customer has left.
        $abort = function_exists('ignore_user_abort') && !ignore_user_abort(true);
        $outer = Callbacks::swapThrown(null);
        try {
            return Native::ffi()->$function(...$arguments);
        } finally {
            $thrown = Callbacks::swapThrown($outer);
            if ($abort) {
                ignore_user_abort(false);
            }
            self::release($async);
        }
    }

    private function free(): void
    {
        $pointer = $this->out[0];
        if ($pointer !== null) {
            // Cleared first, so that it cannot be freed twice.
            $this->out[0] = null;
            Native::ffi()->payorder_string_free($pointer);
        }
    }
}
