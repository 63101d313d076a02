<?php

declare(strict_types=1);

namespace Payorder;

use Psr\Log\{LoggerInterface, LogLevel};

/**
 * Passes log events to a logger of PSR-3: `$client->setLog(new PsrLog($logger))`. A failed attempt
 * is a warning, a journal that cannot be written an error, and everything else is for debugging.
 */
final class PsrLog
{
    public function __construct(private readonly LoggerInterface $logger)
    {
    }

    /** @param array<string, mixed> $event */
    public function __invoke(array $event): void
    {
        $level = match ($event['event']) {
            'attempt_failed' => LogLevel::WARNING,
            'journal_failed' => LogLevel::ERROR,
            default => LogLevel::DEBUG,
        };
        $this->logger->log($level, 'payorder {operation}: {event}', $event);
    }
}
