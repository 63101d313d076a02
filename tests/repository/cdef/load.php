<?php
// load.php CDEF LIBRARY: a version, a client and a failed call through PHP's FFI.
function check(bool $true, string $what): void
{
    if (!$true) {
        fwrite(STDERR, "$what\n");
        exit(1);
    }
}

$lib = FFI::cdef(file_get_contents($argv[1]), $argv[2]);
echo $lib->payorder_version(), "\n";
check($lib->payorder_abi_version() === $lib->PAYORDER_ABI_VERSION, 'the interface version');

$client = $lib->new('payorder_client *');
$json = $lib->new('char *');
$result = $lib->payorder_client_new('{"baseUrl":"http://127.0.0.1:9"}', FFI::addr($client), FFI::addr($json));
check($result === $lib->PAYORDER_OK, "payorder_client_new: $result");
check($lib->payorder_live_clients() === 1, 'a client is live');
$result = $lib->payorder_create_order($client, '{}', null, FFI::addr($json));
check($result === $lib->PAYORDER_INVALID_REQUEST, "payorder_create_order: $result");
echo FFI::string($json), "\n";
$lib->payorder_string_free($json);
check($lib->payorder_client_free($client) === $lib->PAYORDER_OK, 'payorder_client_free');
check($lib->payorder_live_clients() === 0, 'no client is left');
check($lib->payorder_live_strings() === 0, 'no string is left');
