<?php

// Loads the package without Composer. With Composer, use vendor/autoload.php.

declare(strict_types=1);

foreach (
    ['constants', 'Library', 'Text', 'Json', 'Received', 'results', 'exceptions', 'Order',
        'Cancellation', 'Callbacks', 'Client', 'Payorder'] as $file
) {
    require_once __DIR__ . "/src/$file.php";
}
