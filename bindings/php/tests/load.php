<?php

// Says where the library was found, or why it cannot be used, and the class of an error.

// As frameworks do.
set_error_handler(static fn ($level, $message) => throw new ErrorException($message));
require_once __DIR__ . '/../autoload.php';

try {
    Payorder\Library::version();
    echo Payorder\Native::path(), "\n";
    new Payorder\Client(['baseUrl' => '']);
} catch (Payorder\InvalidConfigException $refused) {
    echo $refused::class, "\n";
} catch (Payorder\NotSentException $refused) {
    echo $refused->getMessage(), "\n";
}
