<?php

// The sandbox for the tests of a program.

declare(strict_types=1);

use Payorder\{ConnectionLostException, Sandbox};

return [
    'it pays, refunds, fails and forgets' => function (): void {
        $sandbox = new Sandbox();
        $client = $sandbox->client();
        $order = order();
        $client->createOrder(['orderId' => 'O/1 ä'] + $order->toArray());
        check($sandbox->pay('O/1 ä')['state'] === 'Completed');
        check($client->getStatus('O/1 ä')->completed);
        check($sandbox->refund('O/1 ä')['refunded']);
        $sandbox->fault('create:1:drop-after-commit');
        thrown(ConnectionLostException::class, fn () => $client->createOrder(order()));
        check(count($sandbox->orders()) === 2);
        $steps = array_column($sandbox->requests(), 'step');
        check($steps === ['create', 'status', 'create'], $steps);
        $error = thrown(RuntimeException::class, fn () => $sandbox->cancel('none'));
        check(str_contains($error->getMessage(), 'order'), $error);
        $sandbox->reset();
        check($sandbox->orders() === []);
        $sandbox->close();
        $sandbox->close();
        thrown(RuntimeException::class, fn () => @$sandbox->fail('none'));
    },

    'a forked child neither ends it nor delays its end' => function (): void {
        $sandbox = new Sandbox();
        $forked = function (callable $work): int {
            $child = pcntl_fork();
            if ($child === 0) {
                $work();
                posix_kill(getmypid(), SIGKILL);
            }
            return $child;
        };
        pcntl_waitpid($forked(fn () => $sandbox->close()), $status);
        check($sandbox->orders() === []);
        $child = $forked(fn () => sleep(10));
        $sandbox->close();
        check(pcntl_waitpid($child, $status, WNOHANG) === 0, 'it waited for the child');
        posix_kill($child, SIGKILL);
        pcntl_waitpid($child, $status);
    },

    'it ends with its program, also with one that is killed' => function (): void {
        foreach (['', 'posix_kill(getmypid(), SIGKILL);'] as $end) {
            $file = tempnam(sys_get_temp_dir(), 'payorder');
            $autoload = var_export(realpath(__DIR__ . '/../autoload.php'), true);
            file_put_contents($file,
                "<?php require $autoload; echo (\$one = new Payorder\\Sandbox())->baseUrl; $end");
            [$url] = php($file)->end();
            unlink($file);
            check(str_starts_with($url, 'http'), $url);
            $address = strtr($url, ['http' => 'tcp']);
            for ($tries = 0; $open = @stream_socket_client($address); $tries++) {
                check($tries < 500, 'it still listens');
                fclose($open);
                usleep(10_000);
            }
        }
    },

    'it says how to get one' => function (): void {
        $named = getenv('PAYORDER_SANDBOX');
        foreach (['/nowhere' => 'at /nowhere: put', '' => 'in PATH: put it'] as $path => $words) {
            putenv("PAYORDER_SANDBOX=$path");
            $error = thrown(RuntimeException::class, fn () => new Sandbox());
            check(str_contains($error->getMessage(), $words), $error);
        }
        putenv("PAYORDER_SANDBOX=$named");
    },
];
