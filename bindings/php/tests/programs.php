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

/** Runs the sample `sale`, or a program like it, and pays. */
function sell(string $file, array $arguments = []): string
{
    $program = php($file, $arguments);
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

$samples = dirname(__DIR__) . '/samples';
$id = 'S-' . getmypid();

return [
    'payorder.cdef is current' => function (): void {
        $interface = file_get_contents(dirname(__DIR__, 3) . '/include/payorder.cdef');
        check(str_ends_with(file_get_contents(dirname(__DIR__) . '/payorder.cdef'), $interface));
    },
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
    'the preloaded library is used' => function (): void {
        $header = sys_get_temp_dir() . '/payorder-' . uniqid() . '.cdef';
        file_put_contents($header, Payorder\Library::header(getenv('PAYORDER_LIBRARY')));
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
    'the sample sale' => function () use ($samples, $id): void {
        $said = sell("$samples/sale.php", ["$id-1", '249.50', 'Two coffees']);
        check(str_contains($said, "paid: 249.50 for $id-1"), $said);
        $said = sell("$samples/sale.php", ["$id-2", '249.50', 'sandbox:wrong-amount']);
        check(str_contains($said, 'check: money moved'), $said);
        check(str_contains($said, 'amount is "1.00" instead of "249.50"'), $said);
        [$said, $status] = php("$samples/sale.php", ["$id-3", '1.00', 'sandbox:reject'])->end();
        check(str_contains($said, 'no order was created') && $status === 1, $said, $status);
    },
    'the sample lost_answer' => function () use ($samples, $id): void {
        $arguments = ["$id-4", '249.50', 'sandbox:drop-after-commit'];
        [$said] = php("$samples/lost_answer.php", $arguments)->end();
        check(str_contains($said, "the service has order $id-4: Pending"), $said);
        [$said] = php("$samples/lost_answer.php", ["$id-5", '1.00', 'sandbox:drop-before'])->end();
        check(str_contains($said, 'still not known; ask again later'), $said);
    },
    'the sample reconciliation' => function () use ($samples, $id): void {
        [$paid, $open] = [order(), order()];
        pay(client()->createOrder($paid)->url);
        client()->createOrder($open);
        $file = tempnam(sys_get_temp_dir(), 'payorder');
        file_put_contents($file, "$paid->orderId,249.50\n$open->orderId,249.50\nnone,1.00\n");
        [$said, $status] = php("$samples/reconciliation.php", [$file])->end();
        unlink($file);
        foreach (["$paid->orderId,249.50,matched", "$open->orderId,249.50,not paid: Pending",
            'none,1.00,no status', '1 of 3 orders matched'] as $line) {
            check(str_contains($said, $line), $line, $said);
        }
        check($status === 2);
    },
    'the sample restart' => function () use ($samples, $id): void {
        $journal = sys_get_temp_dir() . '/payorder-' . uniqid() . '.sqlite';
        $sell = [$journal, 'sell', "$id-6", '249.50', 'sandbox:stall'];
        $crashed = php("$samples/restart.php", $sell);
        for ($known = false, $tries = 0; !$known; usleep(10_000)) {
            check(++$tries < 6000, "the service never had the order $id-6");
            try {
                $known = client()->getStatus("$id-6")->orderId === "$id-6";
            } catch (Payorder\RejectedException) {
            }
        }
        $crashed->kill();
        [$said, $status] = php("$samples/restart.php", $sell)->end();
        check(str_contains($said, "order $id-6 was sent before: sending") && $status === 2, $said);
        [$said, $status] = php("$samples/restart.php", [$journal, 'ask'])->end();
        check(str_contains($said, "$id-6 249.50 created Pending") && $status === 0, $said);
        array_map('unlink', glob("$journal*"));
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
            file_put_contents($file, $start . implode("\n", array_slice($blocks, 1)));
            [$said, $status] = php($file, environment: ['PAYORDER_JOURNAL' => $journal])->end();
        } finally {
            unlink($file);
            array_map('unlink', glob("$journal*"));
        }
        check($status === 0, $said);
        foreach (['no status', 'created', 'the last status was Pending', '100 asked',
            'call_finished', '0 unresolved'] as $part) {
            check(str_contains($said, $part), $part, $said);
        }
    },
];
