<?php

// Says where the library was found, or why it cannot be used.

require_once __DIR__ . '/../autoload.php';

try {
    Payorder\Library::version();
    echo Payorder\Native::path(), "\n";
} catch (Payorder\NotSentException $refused) {
    echo $refused->getMessage(), "\n";
}
