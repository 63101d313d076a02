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
    'the preloaded library is used, also by another copy of the package' => function (): void {
        $work = sys_get_temp_dir() . '/payorder-' . uniqid();
        mkdir($work);
        $package = dirname(__DIR__);
        exec("cp -r $package $work/release-2", $_, $status);
        check($status === 0, $work);
        file_put_contents("$work/cdef", Payorder\Native::header(getenv('PAYORDER_LIBRARY')));
        $user = posix_getpwuid(posix_geteuid())['name'];
        foreach ([$package, "$work/release-2"] as $copy) {
            $program = php("$copy/tests/load.php", [], [
                "ffi.preload=$work/cdef",
                'opcache.enable_cli=1',
                "opcache.preload=$package/preload.php",
                "opcache.preload_user=$user",
            ], ['PAYORDER_LIBRARY' => '/nowhere.so']);
            [$said] = $program->end();
            check($said === "ffi.preload\nPayorder\\InvalidConfigException\n", $copy, $said);
        }
        exec("rm -r $work");
    },
];
