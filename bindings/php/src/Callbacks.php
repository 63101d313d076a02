<?php

declare(strict_types=1);

namespace Payorder;

use FFI\CData;

/**
 * The functions that the library calls. PHP keeps a C function for each until the process or
 * the request ends, so there is only one of each kind. The library's user_data points to a number,
 * which says whose callback it is.
 *
 * @internal
 */
final class Callbacks
{
    /** @var array<string, CData> */
    private static array $made = [];
    private static int $last = 0;
    /** What ended the call: nothing may be thrown through the library. */
    private static ?\Throwable $thrown = null;
    /** @var array<int, callable> */
    private static array $functions = [];

    /** A number for a function. Keep the result as long as the library may call it. */
    public static function add(callable $function): CData
    {
        $data = Native::new('uint64_t');
        $data->cdata = ++self::$last;
        self::$functions[self::$last] = $function;
        return $data;
    }

    public static function remove(CData $data): void
    {
        unset(self::$functions[$data->cdata]);
    }

    /** A payorder_log_fn. An exception does not leave it: the result of the call is worth more. */
    public static function log(): CData
    {
        return self::made('payorder_log_fn', static function (string $event, CData $data): void {
            try {
                $function = self::find($data);
                if ($function !== null) {
                    $function($event);
                }
            } catch (\Throwable) {
            }
        });
    }

    /** A payorder_status_fn. The functions of `add` keep their exceptions for themselves. */
    public static function status(): CData
    {
        $call = static function (
            int $index,
            int $result,
            #[\SensitiveParameter] string $json,
            CData $data,
        ): int {
            try {
                $function = self::find($data);
                return $function !== null && $function($index, $result, $json) ? 1 : 0;
            } catch (\Throwable) {
                return 0;
            }
        };
        return self::made('payorder_status_fn', $call);
    }

    /**
     * What the idle function or a signal handler has thrown in the current call. A call that a
     * callback makes begins with none, and puts that of the outer call back at its end.
     */
    public static function swapThrown(?\Throwable $other): ?\Throwable
    {
        [$thrown, self::$thrown] = [self::$thrown, $other];
        return $thrown;
    }

    /** A payorder_idle_fn. Signal handlers of pcntl run here too, and may throw. */
    public static function idle(): CData
    {
        return self::made('payorder_idle_fn', static function (CData $data): int {
            try {
                if (function_exists('pcntl_signal_dispatch')) {
                    pcntl_signal_dispatch();
                }
                $function = self::find($data);
                return $function !== null && $function() === 'cancel' ? 1 : 0;
            } catch (\Throwable $thrown) {
                self::$thrown ??= $thrown;
                return 1;
            }
        });
    }

    private static function made(string $type, callable $function): CData
    {
        if (!isset(self::$made[$type])) {
            self::$made[$type] = Native::new("{$type}[1]");
            self::$made[$type][0] = $function;
        }
        return self::$made[$type][0];
    }

    private static function find(CData $data): ?callable
    {
        return self::$functions[Native::ffi()->cast('uint64_t *', $data)[0]] ?? null;
    }
}
