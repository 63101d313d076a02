<?php

declare(strict_types=1);

namespace Payorder;

/**
 * After a fatal error PHP calls no destructors, but its process goes on with the next request. This
 * calls them then: otherwise queued orders would be sent, and credentials would stay in memory. It
 * cannot after a shutdown function of the program that ends with `exit` or throws.
 *
 * @internal
 */
final class Fatal
{
    /** @var \WeakMap<Client|Cancellation, true>|null */
    private static ?\WeakMap $objects = null;
    private static ?self $probe = null;
    private static bool $destructs = false;

    /** Calls the destructor of an object if PHP does not. */
    public static function destruct(Client|Cancellation $object): void
    {
        if (self::$objects === null) {
            [self::$objects, self::$probe] = [new \WeakMap(), new self()];
            // Twice, so that it runs after the program's own functions, which may use the client.
            register_shutdown_function('register_shutdown_function', self::end(...));
        }
        self::$objects[$object] = true;
    }

    private static function end(): void
    {
        [$objects, self::$objects, self::$destructs] = [self::$objects, null, false];
        self::$probe = null;
        foreach (self::$destructs ? [] : $objects as $object => $_) {
            $object->__destruct();
        }
    }

    public function __destruct()
    {
        self::$destructs = true;
    }
}
