<?php

// Gives every request the text of a file as its answer, after a pause in milliseconds.

declare(strict_types=1);

$answer = file_get_contents($argv[1]);
$server = stream_socket_server('tcp://127.0.0.1:0');
echo 'http://', stream_socket_get_name($server, false), "\n";
while ($connection = stream_socket_accept($server, -1)) {
    for ($length = 0; ($line = fgets($connection)) !== "\r\n" && $line !== false;) {
        if (stripos($line, 'content-length:') === 0) {
            $length = (int) substr($line, 15);
        }
    }
    stream_get_contents($connection, $length);
    echo "request\n";
    usleep(1000 * (int) $argv[2]);
    $size = strlen($answer);
    fwrite($connection, "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: $size\r\n\r\n");
    fwrite($connection, $answer);
    fclose($connection);
}
