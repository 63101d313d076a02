<?php

declare(strict_types=1);

/** Compiles a library with the given C source, and returns what the package says about it. */
function refused(string $source): string
{
    $path = sys_get_temp_dir() . '/payorder-' . uniqid() . '.so';
    file_put_contents("$path.c", $source);
    [$output, $status] = (new Program(['gcc', '-shared', '-fPIC', '-o', $path, "$path.c"]))->end();
    check($status === 0, $output);
    $program = php(__DIR__ . '/load.php', environment: ['PAYORDER_LIBRARY' => $path]);
    [$said] = $program->end();
    array_map('unlink', [$path, "$path.c"]);
    return str_replace($path, 'PATH', $said);
}

/** Runs a program that sells, and pays. */
function sell(string $file): string
{
    $program = php($file);
    $line = $program->line();
    check(preg_match('/send the customer to (\S+)/', $line, $found) === 1, $line);
    pay($found[1]);
    return $line . $program->end()[0];
}

/** The blocks of PHP in the README. */
function blocks(): array
{
    $text = file_get_contents(dirname(__DIR__) . '/README.md');
    preg_match_all('/^```php\n(.*?)^```/ms', $text, $found);
    return $found[1];
}

return [
    'a library with another version of the ABI is refused' => function (): void {
        $said = refused('unsigned payorder_abi_version(void) { return 2; }');
        $message = 'PATH: has version 2 of the ABI, and this package needs version 1';
        check(str_contains($said, $message), $said);
        $said = refused('int another;');
        check(str_contains($said, 'PATH: '), $said);
    },
    'PAYORDER_LIBRARY is the only place if it is set' => function (): void {
        $program = php(__DIR__ . '/load.php', environment: ['PAYORDER_LIBRARY' => '/nowhere.so']);
        [$said] = $program->end();
        check(substr_count($said, "\n  ") === 1, $said);
        check(str_contains($said, '/nowhere.so: cannot open shared object file'), $said);
    },
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
    "the README's examples run" => function (): void {
        $blocks = blocks();
        $file = dirname(__DIR__) . '/tests/readme.tmp.php';
        $journal = sys_get_temp_dir() . '/payorder-readme-' . getmypid() . '.sqlite';
        $start = "<?php\nrequire '" . __DIR__ . "/support.php';\n\$order = order();\n"
            . "\$client = new Payorder\\Client(config(sandbox()));\n";
        try {
            file_put_contents($file, $blocks[0]);
            $said = sell($file);
            check(str_contains($said, 'paid on 2'), $said);
            // All examples are one program, so that their imports must fit each other.
            preg_match_all('/^use .*;$/m', $blocks[0], $imports);
            $start .= implode("\n", $imports[0]) . "\n";
            file_put_contents($file, $start . implode("\n", array_slice($blocks, 1)));
            [$said, $status] = php($file, environment: ['PAYORDER_JOURNAL' => $journal])->end();
        } finally {
            unlink($file);
            array_map('unlink', glob("$journal*"));
        }
        check($status === 0, $said);
        foreach (['no status', 'created', 'the last status was Pending', '100 asked',
            'call_finished', 'ORD-1: paid', '0 unresolved'] as $part) {
            check(str_contains($said, $part), $part, $said);
        }
    },
];
