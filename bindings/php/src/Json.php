<?php

declare(strict_types=1);

namespace Payorder;

/**
 * A JSON text of the library, read by pointers such as /data/url.
 *
 * PHP cannot read every text that the library passes on: a field that a service adds may have half
 * a surrogate pair. The library reads the other fields then.
 *
 * @internal
 */
final class Json
{
    private mixed $document;

    public function __construct(public readonly string $text)
    {
        $this->document = json_decode($text, true, 1024, JSON_BIGINT_AS_STRING);
    }

    /** A part of a text, which PHP has read. */
    public static function of(array $members): self
    {
        return new self(json_encode((object) $members, JSON_INVALID_UTF8_SUBSTITUTE
            | JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE | JSON_PARTIAL_OUTPUT_ON_ERROR));
    }

    /**
     * @template T
     * @param class-string<T> $class
     * @param list<array<string, mixed>>|null $items
     * @return list<T>|null
     */
    public static function all(string $class, ?array $items): ?array
    {
        $made = static fn (array $one): object => new $class(self::of($one));
        return $items === null ? null : array_map($made, $items);
    }

    public function text(string $pointer): ?string
    {
        $value = $this->at($pointer);
        return is_string($value) ? $value : null;
    }

    public function integer(string $pointer): ?int
    {
        $value = $this->at($pointer);
        return is_int($value) || $this->document === null && is_numeric($value) ? (int) $value : null;
    }

    public function isTrue(string $pointer): bool
    {
        $value = $this->at($pointer);
        return $value === true || $this->document === null && $value === 'true';
    }

    /** An object as it is written, or written again if its text is too long for the library. */
    public function raw(string $pointer): ?string
    {
        $raw = self::get($this->text, $pointer);
        $value = $raw === null ? $this->value($pointer) : null;
        return $value === null ? $raw : self::of($value)->text;
    }

    /** @return array<mixed>|null */
    public function value(string $pointer): ?array
    {
        $value = $this->at($pointer);
        $value = $this->document === null ? json_decode($value ?? '', true) : $value;
        return is_array($value) ? $value : null;
    }

    /** The value at a pointer as the library gives it, or null. */
    public static function get(string $text, string $pointer): ?string
    {
        // Without an exception, because an exception reads its error object with this function.
        $received = new Received();
        return $received->succeeds('payorder_json_get', $text, $pointer)
            ? $received->text()
            : null;
    }

    /** The same, or what PHP reads: the library reads no text over 16 MiB. */
    public static function textOf(string $text, string $pointer): ?string
    {
        return self::get($text, $pointer) ?? (new self($text))->text($pointer);
    }

    /** If PHP could not read the text, the library gives the value as text. */
    private function at(string $pointer): mixed
    {
        if ($this->document === null) {
            return self::get($this->text, $pointer);
        }
        $value = $this->document;
        foreach (array_slice(explode('/', $pointer), 1) as $key) {
            if (!is_array($value) || !array_key_exists($key, $value)) {
                return null;
            }
            $value = $value[$key];
        }
        return $value;
    }
}
