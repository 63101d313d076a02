<?php

// Runs the tests: php run.php [PART_OF_A_NAME]

declare(strict_types=1);

require __DIR__ . '/support.php';

$failed = 0;
foreach (['outcomes', 'callbacks', 'programs', 'sandbox'] as $file) {
    foreach (require __DIR__ . "/$file.php" as $name => $test) {
        if (!str_contains($name, $argv[1] ?? '')) {
            continue;
        }
        try {
            $test();
            gc_collect_cycles();
            $left = Payorder\Library::live();
            check(array_sum($left) === 0, 'the library still holds', $left);
            echo "ok: $name\n";
        } catch (Throwable $problem) {
            $failed++;
            echo "FAILED: $name\n$problem\n";
        }
    }
}
echo $failed === 0 ? "all passed\n" : "$failed failed\n";
exit($failed === 0 ? 0 : 1);
