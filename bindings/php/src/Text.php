<?php

declare(strict_types=1);

namespace Payorder;

/**
 * Texts for the library. One that it cannot get unchanged is refused before the call.
 *
 * @internal
 */
final class Text
{
    /** The library reads no deeper JSON. */
    private const LEVELS = 127;
    /** Keys whose empty array is an object. */
    private const OBJECTS = ['extraFields', 'headers', 'tls'];
    /** Times in seconds. With Ms at the end, the library takes them in milliseconds. */
    private const SECONDS = ['timeout', 'connectTimeout', 'maxIdle', 'wait', 'interval',
        'maxInterval'];

    /** @param array<mixed> $members */
    public static function object(#[\SensitiveParameter] array $members, string $what): string
    {
        // PHP 8.2 crashes if a signal handler throws here, or in `settings`.
        $async = Received::hold();
        try {
            return self::json((object) self::withObjects($members), $what);
        } finally {
            Received::release($async);
        }
    }

    /**
     * @param array<mixed> $members
     * @return array<mixed>
     */
    private static function withObjects(#[\SensitiveParameter] array $members): array
    {
        if (is_int($members['orderId'] ?? null)) {
            $members['orderId'] = (string) $members['orderId']; // it was the key of an array
        }
        foreach (self::OBJECTS as $key) {
            if (($members[$key] ?? null) === []) {
                $members[$key] = (object) [];
            }
        }
        return $members;
    }

    /**
     * A configuration or options, in which times may be in seconds.
     *
     * @param array<mixed> $members
     */
    public static function settings(#[\SensitiveParameter] array $members, string $what): string
    {
        $async = Received::hold();
        try {
            return self::object(self::inMilliseconds($members, $what), $what);
        } finally {
            Received::release($async);
        }
    }

    /**
     * @param array<mixed> $members
     * @return array<mixed>
     */
    private static function inMilliseconds(
        #[\SensitiveParameter] array $members,
        string $what,
    ): array {
        foreach (self::SECONDS as $key) {
            if (array_key_exists($key, $members)) {
                if (array_key_exists("{$key}Ms", $members)) {
                    $problem = "$what: $key and {$key}Ms are the same; give one";
                    throw self::unusable(Cause::INVALID_VALUE, $problem);
                }
                $time = $members[$key];
                $time = is_int($time) || is_float($time) ? ceil($time * 1000) : $time;
                // The library refuses what is not an integer. NAN has no JSON text.
                $isTime = is_float($time) && abs($time) < PHP_INT_MAX;
                $members["{$key}Ms"] = $isTime ? (int) $time : $time;
                unset($members[$key]);
            }
        }
        return $members;
    }

    public static function json(#[\SensitiveParameter] mixed $value, string $what): string
    {
        self::checkAll($value, $what);
        try {
            return json_encode(
                $value,
                JSON_THROW_ON_ERROR | JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE,
            );
        } catch (\JsonException $problem) {
            throw self::unusable(Cause::INVALID_VALUE, "$what: {$problem->getMessage()}");
        }
    }

    /**
     * A text that is as it was given. An integer has one text, but as an amount it may be paise.
     */
    public static function text(#[\SensitiveParameter] mixed $value, string $field): string
    {
        if (is_string($value) || is_int($value) && $field !== 'amount') {
            return (string) $value;
        }
        $problem = "$field must be a string, not " . get_debug_type($value);
        throw self::unusable(Cause::INVALID_VALUE, $problem);
    }

    public static function check(#[\SensitiveParameter] string $text, string $what): string
    {
        // PCRE checks the whole text in the mode u.
        if (preg_match('//u', $text) !== 1) {
            throw self::unusable(Cause::NOT_UTF8, "$what is not UTF-8");
        }
        if (str_contains($text, "\0")) {
            throw self::unusable(Cause::INVALID_VALUE, "$what contains a NUL character");
        }
        return $text;
    }

    private static function checkAll(
        #[\SensitiveParameter] mixed $value,
        string $what,
        int $levels = self::LEVELS,
    ): void {
        if (is_string($value)) {
            self::check($value, $what);
        } elseif (is_array($value) || $value instanceof \stdClass
            || $value instanceof \ArrayObject || $value instanceof \ArrayIterator) {
            if ($levels === 0) {
                // It may contain itself.
                $problem = 'a value has more than ' . self::LEVELS . ' levels';
                throw self::unusable(Cause::INVALID_VALUE, $problem);
            }
            foreach ((array) $value as $key => $one) {
                self::check((string) $key, "the name of a field in $what");
                self::checkAll($one, is_int($key) ? $what : "$key in $what", $levels - 1);
            }
        } elseif (is_object($value)
            && !$value instanceof \JsonSerializable && !$value instanceof \UnitEnum) {
            // JSON would leave out its private fields.
            $problem = "$what: a " . get_debug_type($value) . ' cannot be read; give an array';
            throw self::unusable(Cause::INVALID_VALUE, $problem);
        }
    }

    public static function unusable(string $cause, string $message): PayorderException
    {
        return PayorderException::own(
            Result::INVALID_ARGUMENT,
            $cause,
            Action::FixRequest,
            "$message; nothing was sent",
        );
    }
}
