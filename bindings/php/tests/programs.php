<?php

declare(strict_types=1);

return [
    'a PHP that allows no FFI is a LibraryException' => function (): void {
        foreach ([['-d', 'ffi.enable=0'], ['-n']] as $settings) {
            [$said] = (new Program([PHP_BINARY, ...$settings, __DIR__ . '/load.php']))->end();
            check(str_contains($said, 'FFI') && str_contains($said, 'README'), $said);
            check(!str_contains($said, 'Fatal'), $said);
        }
    },
    'the preloaded library is used' => function (): void {
        $header = sys_get_temp_dir() . '/payorder-' . uniqid() . '.cdef';
        file_put_contents($header, Payorder\Native::header(getenv('PAYORDER_LIBRARY')));
        $user = posix_getpwuid(posix_geteuid())['name'];
        $program = php(__DIR__ . '/load.php', [], [
            "ffi.preload=$header",
            'opcache.enable_cli=1',
            'opcache.preload=' . dirname(__DIR__) . '/preload.php',
            "opcache.preload_user=$user",
        ], ['PAYORDER_LIBRARY' => '/nowhere.so']);
        [$said] = $program->end();
        unlink($header);
        check(trim($said) === 'ffi.preload', $said);
    },
];
