<?php

declare(strict_types=1);

namespace Payorder;

/** No shared library was found, or it has another version of the ABI. Nothing was sent. */
final class LibraryException extends NotSentException
{
    /** @internal */
    public static function because(string $message): self
    {
        $json = self::json(
            Result::INVALID_CONFIG,
            Cause::UNREADABLE_FILE,
            Action::FixConfiguration,
            $message,
        );
        return new self(Result::INVALID_CONFIG, $json);
    }
}
