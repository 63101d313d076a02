<?php

// What the tests need of the package psr/log.

declare(strict_types=1);

namespace Psr\Log;

interface LoggerInterface
{
    public function log($level, $message, array $context = []): void;
}

final class LogLevel
{
    public const WARNING = 'warning';
    public const ERROR = 'error';
    public const DEBUG = 'debug';
}
