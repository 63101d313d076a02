<?php

declare(strict_types=1);

use Payorder\Native;

/** A copy of the package, in a folder of its own. */
function copyOfThePackage(): string
{
    $copy = sys_get_temp_dir() . '/payorder-' . uniqid() . '/shop/payorder';
    mkdir(dirname($copy), 0777, true);
    exec('cp -r ' . dirname(__DIR__) . " $copy", $_, $status);
    check($status === 0, $copy);
    copy(dirname(__DIR__, 3) . '/include/payorder.cdef', "$copy/payorder.cdef");
    return $copy;
}

return [
    'a PHP that does not allow what the package needs is a LibraryException' => function (): void {
        $copy = copyOfThePackage();
        foreach (['ffi.enable=0', 'disable_functions=php_uname', 'disable_classes=FFI',
            "open_basedir=$copy", null] as $setting) {
            $settings = $setting === null ? ['-n'] : ['-d', $setting];
            $program = [PHP_BINARY, ...$settings, "$copy/tests/load.php"];
            [$said] = (new Program($program, ['PAYORDER_LIBRARY' => '']))->end();
            check(str_contains($said, 'README') && str_contains($said, 'nothing was sent'), $said);
            check(!str_contains($said, 'Fatal'), $said);
        }
        exec('rm -r ' . dirname($copy, 2));
    },
    'the preloaded library is used, also by another copy of the package' => function (): void {
        $copy = copyOfThePackage();
        $package = dirname(__DIR__);
        $cdef = dirname($copy) . '/cdef';
        file_put_contents($cdef, Native::header(getenv('PAYORDER_LIBRARY')));
        $user = posix_getpwuid(posix_geteuid())['name'];
        $run = fn (string $copy): string => php("$copy/tests/load.php", [], [
            "ffi.preload=$cdef",
            'opcache.enable_cli=1',
            "opcache.preload=$package/preload.php",
            "opcache.preload_user=$user",
        ], ['PAYORDER_LIBRARY' => '/nowhere.so'])->end()[0];
        foreach ([$package, $copy] as $one) {
            $said = $run($one);
            check($said === "ffi.preload\nPayorder\\InvalidConfigException\n", $one, $said);
        }
        // The declarations of an earlier version.
        $declarations = preg_replace('/^.*payorder_recover\((.|\n)*?\);/m', '',
            file_get_contents($cdef));
        file_put_contents($cdef, $declarations);
        check(str_contains($run($package), 'has no payorder_recover: write it again'));
        exec('rm -r ' . dirname($copy, 2));
    },
    'a callback that prints loses no order when the customer leaves' => function (): void {
        $server = new Server('
            Payorder\Library::setIdle(function (): void {
                echo str_repeat("x", 1 << 16);
                flush();
            });
            $url = client()->createOrder(order())->url;
            file_put_contents(__DIR__ . "/url", $url . ini_get("ignore_user_abort"));');
        faults('{"rule":"create:1:slow=1500"}');
        $customer = stream_socket_client("tcp://$server->address");
        fwrite($customer, "GET /page.php HTTP/1.0\r\n\r\n");
        fread($customer, 1); // the call waits
        fclose($customer);
        $url = '';
        for ($tries = 0; $url === '' && $tries < 500; $tries++) {
            usleep(20_000);
            $url = (string) @file_get_contents("$server->folder/url");
        }
        faults(null);
        check(preg_match('~/checkout/\d+0$~', $url) === 1, $url);
    },
    'a request that ends leaves the next one no idle function' => function (): void {
        $server = new Server('
            if ($_GET["number"] === "1") {
                Payorder\Library::setIdle(fn () => null);
            }
            echo client()->createOrder(newOrder(uniqid(), "1.00"))->url;');
        faults('{"rule":"create:*:slow=300"}');
        foreach ([1, 2, 3] as $number) {
            $said = $server->get("number=$number");
            check(str_contains($said, '/checkout/'), $number, $said);
        }
        faults(null);
    },
    'after a fatal error no queued order is sent, and no client is left' => function (): void {
        $server = new Server('
            $client = client(["maxCalls" => 1]);
            $cancellation = new Payorder\Cancellation();
            $client->start("createOrder", newOrder("sent-$_GET[how]", "1.00"), ["timeout" => 5]);
            $client->start("createOrder", newOrder("queued-$_GET[how]", "1.00"));
            file_put_contents(__DIR__ . "/started", "");
            // It runs before the end, and may use the client.
            register_shutdown_function(fn () => $client->start("check"));
            ini_set("memory_limit", "64M");
            match ($_GET["how"]) {
                "fatal" => trigger_error("planted", E_USER_ERROR),
                "memory" => str_repeat("x", 1 << 26),
                "time" => set_time_limit(1),
                "compile" => eval("class Wrong implements Iterator {}"),
            };
            while (true);');
        faults('{"rule":"create:*:stall"}');
        $kinds = ['fatal', 'memory', 'time', 'compile'];
        foreach ($kinds as $how) {
            $server->get("how=$how");
            check(file_exists("$server->folder/started"), $how);
            unlink("$server->folder/started");
        }
        $server->page('echo json_encode(Payorder\Library::live());');
        for ($tries = 0; ($said = $server->get()) !== '{"clients":0,"strings":0,"calls":0}'; $tries++) {
            check($tries < 1500, $said);
            usleep(20_000);
        }
        faults(null);
        check(array_sum(array_map(fn ($how) => sent("queued-$how"), $kinds)) === 0);
    },
    'a destructor may use the client at the end of a request' => function (): void {
        $server = new Server('
            $sale = new class (client()) {
                public function __construct(private Payorder\Client $client)
                {
                }
                public function __destruct()
                {
                    echo $this->client->createOrder(order())->url;
                }
            };');
        check(str_contains($server->get(), '/checkout/'));
    },
    'PHP-FPM passes the settings of one request' => function (): void {
        $fpm = (glob('/usr/sbin/php-fpm*') ?: [null])[0];
        if ($fpm === null) {
            check(getenv('PAYORDER_TESTS_WANT_ALL') === false, 'php-fpm is not installed');
            return;
        }
        $work = dirname(copyOfThePackage());
        file_put_contents("$work/fpm.conf", "[global]\nerror_log=$work/log\n[www]\nlisten=$work/fpm\n"
            . "user=root\npm=static\npm.max_children=1\nphp_admin_value[ffi.enable]=true\n");
        file_put_contents("$work/page.php", '<?php
            require "payorder/autoload.php";
            echo Payorder\Client::fromEnv(["timeout" => 20])->getStatus("none");');
        $server = proc_open(['timeout', '20', $fpm, '-n', '-R', '-F', '-d', 'extension=ffi',
            '-y', "$work/fpm.conf"], [], $pipes);
        for ($tries = 0; !file_exists("$work/fpm") && $tries < 500; $tries++) {
            usleep(20_000);
        }
        $socket = stream_socket_client("unix://$work/fpm");
        $given = array_filter(getenv(), fn ($name) => str_starts_with($name, 'PAYORDER_'),
            ARRAY_FILTER_USE_KEY);
        $given += ['SCRIPT_FILENAME' => "$work/page.php", 'REQUEST_METHOD' => 'GET'];
        $text = '';
        foreach ($given as $name => $value) {
            $text .= pack('NN', strlen($name) | 1 << 31, strlen($value) | 1 << 31) . "$name$value";
        }
        // The records of FastCGI: begin, the variables and their end, no input.
        foreach ([[1, pack('nCx5', 1, 0)], [4, $text], [4, ''], [5, '']] as [$type, $body]) {
            fwrite($socket, pack('CCnnxx', 1, $type, 1, strlen($body)) . $body);
        }
        $said = stream_get_contents($socket);
        proc_terminate($server);
        proc_close($server);
        check(str_contains($said, 'RejectedException'), $said);
        exec('rm -r ' . dirname($work));
    },
];
