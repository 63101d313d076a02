<?php

// For opcache.preload: compiles the package before PHP-FPM starts its processes, and allows it to
// use FFI with ffi.enable=preload. The library itself is loaded with ffi.preload: see README.md.

declare(strict_types=1);

require_once __DIR__ . '/autoload.php';
foreach (glob(__DIR__ . '/src/*.php') as $file) {
    if (basename($file) !== 'PsrLog.php') { // it needs psr/log
        require_once $file;
    }
}

// Fails here, if ffi.preload has loaded no library or another one, and not at the first sale.
Payorder\Native::checkPreloaded();
