<?php

// Loads the package without Composer. With Composer, use vendor/autoload.php.

declare(strict_types=1);

spl_autoload_register(static function (string $class): void {
    if (str_starts_with($class, 'Payorder\\')) {
        $file = __DIR__ . '/src/' . substr($class, strlen('Payorder\\')) . '.php';
        require_once is_file($file) ? $file : __DIR__ . '/types.php';
    }
});
require_once __DIR__ . '/types.php';
