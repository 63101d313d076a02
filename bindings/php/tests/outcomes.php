<?php

declare(strict_types=1);

use Payorder\{Action, Cancellation, Cause, Checkout, Client, ConnectionLostException};
use Payorder\{DuplicateException, InvalidArgumentException, InvalidHandleException};
use Payorder\{InvalidRequestException, Library, NotSentException, Order};
use Payorder\{OrderInterruptedException, Outcome, OutcomeUnknownException, PayMode};
use Payorder\{PayorderException, PsrLog};
use Payorder\{RejectedException, Result, Status, Testing, TimeoutException, Waited};

return [
    'no number becomes a text' => function (): void {
        // In a file without strict types, where PHP converts arguments.
        $weak = eval('use Payorder\Order; return [
            fn ($client, $order) => new Order(...["amount" => 100.10] + $order),
            fn ($client, $order) => new Order(...["orderId" => 1e16] + $order),
            fn ($client, $order) => $client->getStatus(1e16),
            fn ($client, $order) => $client->waitForPayment(1e16),
        ];');
        foreach ($weak as $number => $call) {
            $error = thrown(InvalidArgumentException::class,
                fn () => $call(client(), order()->toArray()));
            $field = $number === 0 ? 'amount' : 'orderId';
            $wanted = "$field must be a string, not float; nothing was sent";
            check(str_contains($error->getMessage(), $wanted), $error);
        }
        check((new Order(...['payMode' => PayMode::Upi] + order()->toArray()))->payMode === 'upi');
        thrown(InvalidArgumentException::class,
            fn () => new Order(...['amount' => 100] + order()->toArray()));
        thrown(InvalidRequestException::class, fn () => client()->getStatus(['orderId' => 1e16]));
    },
    'an order id that was the key of an array is an id' => function (): void {
        $id = getmypid() * 1_000_000 + 1;
        $client = client();
        $client->createOrder(new Order(...['orderId' => $id] + order()->toArray()));
        check($client->getStatus($id)->orderId === "$id");
        check($client->getStatus(['orderId' => $id])->orderId === "$id");
        check($client->getStatuses(array_keys(["$id" => 1]), fn () => true)->ok === 1);
        $sale = ['orderId' => $id, 'amount' => '249.50'];
        check($client->recover([$sale])->sales[0]->orderId === "$id");
        check(!Library::verifyPayment($sale, '{}')->paid);
    },
    'a call leaves no memory' => function (): void {
        $client = client(['baseUrl' => 'http://127.0.0.1:1']);
        $round = function () use ($client): void {
            Library::parseReturnUrl('?txn=1');
            $client->getStatuses([], fn () => true);
            (new Cancellation())->close();
        };
        $round();
        $used = memory_get_usage();
        for ($rounds = 0; $rounds < 1000; $rounds++) {
            $round();
        }
        $more = memory_get_usage() - $used;
        check($more < 1000 * 10, $more);
    },
    'a trace has no credentials and no customer' => function (): void {
        if (PHP_VERSION_ID < 80200) {
            return;
        }
        ini_set('zend.exception_ignore_args', '0');
        $order = ['amount' => 'x', 'udf' => "Asha\xff"] + order()->toArray();
        $expected = ['customer' => "Asha\xff"];
        client()->createOrder($sold = order());
        $wrong = ['accessToken' => 'Asha', 'wrong' => 1];
        $failed = '{"error":{"status":{"data":{"customerName":"Asha"}}}}';
        foreach ([
            fn () => Library::buildCreateOrder($order),
            fn () => Library::buildGetStatus($expected),
            fn () => Library::verifyPayment($expected, '{"customerName":"Asha"}'),
            fn () => client()->createOrder($order),
            fn () => client()->getStatus($expected),
            fn () => client()->waitForPayment($expected),
            fn () => client()->recover([$expected]),
            fn () => client()->start('getStatus', $expected),
            fn () => client()->start('createOrder', order(name: 'x'), $wrong),
            fn () => client()->journalList($wrong),
            fn () => client()->journalResolve($wrong),
            fn () => client()->journalSettle(1, null, $wrong),
            fn () => client()->journalPrune($wrong),
            fn () => throw PayorderException::from(Result::TIMEOUT, $failed),
            fn () => throw (new Waited($failed))->error,
            fn () => client()->getStatuses(['none'],
                fn ($one) => throw $one->error, ['secretKey' => 'Asha']),
            fn () => client()->getStatuses([$sold->orderId],
                fn () => throw Testing::exception(NotSentException::class, 'planted')),
        ] as $call) {
            $trace = thrown(PayorderException::class, $call)->getTrace();
            $inside = array_filter($trace, fn ($one) => isset($one['class']));
            check(!str_contains(print_r($inside, true), 'Asha'), $inside);
        }
    },
    'new credentials are given' => function (): void {
        foreach ([[], ['accessToken' => null]] as $none) {
            thrown(InvalidArgumentException::class, fn () => client()->setCredentials($none));
        }
    },
    'times may be in seconds, and options empty' => function (): void {
        thrown(InvalidArgumentException::class,
            fn () => client()->getStatus('1', ['timeout' => 0]));
        thrown(InvalidArgumentException::class,
            fn () => client()->recover([], ['wait' => PHP_INT_MAX]));
        foreach ([NAN, INF] as $time) {
            $error = thrown(InvalidArgumentException::class,
                fn () => client()->getStatus('1', ['timeout' => $time]));
            check(str_contains($error->getMessage(), 'Inf and NaN'), $error);
        }
        thrown(NotSentException::class, fn () => client(['timeout' => '15']));
        $error = thrown(InvalidArgumentException::class,
            fn () => client(['timeout' => 0.2, 'timeoutMs' => 5000]));
        check(str_contains($error->getMessage(), 'timeoutMs'), $error);
        client(['maxResponseBytes' => 2048.0])->close();
        client()->createOrder(order(), ['extraFields' => [], 'timeout' => 5.5]);
        $waited = client(['connectTimeout' => 2])->waitForPayment('none',
            ['wait' => 0.1, 'interval' => 0.02]);
        check($waited->timedOut && $waited->error instanceof RejectedException, $waited);
    },
    'an error, a return URL and an entry are queries' => function (): void {
        $journal = sys_get_temp_dir() . '/payorder-' . uniqid() . '.sqlite';
        $client = client(['journal' => $journal]);
        $order = order('sandbox:drop-after-commit');
        $error = thrown(OutcomeUnknownException::class, fn () => $client->createOrder($order));
        check($client->getStatus($error)->orderId === $order->orderId);
        [$entry] = $client->journalList();
        check($client->getStatus($entry)->orderId === $order->orderId);
        thrown(InvalidRequestException::class,
            fn () => $client->getStatus(Library::parseReturnUrl('?txn=none')->statusQuery + [1]));
        $client->close();
        array_map('unlink', glob("$journal*"));
    },
    'nothing prints credentials or customers by accident' => function (): void {
        $client = client();
        $order = order();
        $client->createOrder($order);
        $status = $client->getStatus($order->orderId);
        $waited = $client->waitForPayment($order->orderId, ['wait' => 0.01]);
        $error = thrown(PayorderException::class, fn () => client(['timeoutMs' => 0]));
        $echoed = '{"data":{"url":"https://x.example/1","customerName":"Asha"}}';
        $objects = [$client, $order, $status, $waited, $error, new Checkout($echoed)];
        ob_start();
        var_dump($objects);
        $shown = ob_get_clean() . print_r($objects, true) . $error . json_encode($objects);
        foreach (['Asha', '9000000001', 'asha@', 'access-token', 'secret-key'] as $secret) {
            check(!str_contains($shown, $secret), $secret, $shown);
        }
        check(str_contains(json_encode($status), $order->orderId));
        check(json_decode(json_encode(new Checkout($echoed)))->url === 'https://x.example/1');
        check($status->customerName === 'Asha Rao');
    },
    'results can be made without a service' => function (): void {
        check(Testing::checkout('https://x.example/1')->url === 'https://x.example/1');
        $status = Testing::status(['orderId' => '1', 'transactionId' => 'T', 'amount' => '2.00',
            'transactionStatus' => 'Completed']);
        check($status->completed && $status->refundStatus === '');
        $expected = ['orderId' => '1', 'amount' => '2'];
        check(Library::verifyPayment($expected, $status)->paid);
        $expected['notBefore'] = new DateTimeImmutable('2026-11-27T01:00:00+05:30');
        $early = '{"responseCode":"200","data":{"transactionDate":"11/01/2026 02:05:06 PM"}}';
        $reasons = Library::verifyPayment($expected, $early)->reasons;
        check(in_array('2026-11-27T01:00:00+05:30', array_column($reasons, 'expected'), true));
        $dated = Testing::status(['date' => '2026-11-01T14:05:06']);
        check($dated->transactionDate === '11/01/2026 02:05:06 PM');
        $dated = Testing::status(['transactionDate' => $dated->transactionDate]);
        check($dated->date === '2026-11-01T14:05:06', $dated->date);
        $reasons = Library::verifyPayment($expected, $dated)->reasons;
        check(in_array('transactionDate', array_column($reasons, 'check'), true));
        $error = Testing::exception(TimeoutException::class, 'late',
            ['statusQuery' => ['orderId' => '1']]);
        check($error instanceof OutcomeUnknownException && $error->result === Result::TIMEOUT);
        check($error->outcome === Outcome::Unknown && $error->statusQuery === ['orderId' => '1']);
        check($error->getMessage() === 'late' && $error->action === Action::AskStatus);
        foreach ([TimeoutException::class => Action::AskStatus, // of a newer library
            NotSentException::class => Action::None] as $class => $action) {
            $newer = Testing::exception($class, 'late', ['action' => 'phone_somebody']);
            check($newer->action === $action);
        }
        thrown(RejectedException::class, // the sandbox has no such order
            fn () => client()->getStatus(Testing::exception(TimeoutException::class, 'late')));
        check(Testing::exception(NotSentException::class, 'no')->outcome === Outcome::NotSent);
        check(Testing::exception(RejectedException::class, 'no')->action === Action::ShowReason);
        $error = Testing::exception(DuplicateException::class, 'sent before',
            ['previous' => ['orderId' => '1', 'state' => 'created']]);
        check($error->previous->orderId === '1' && $error->previous->url === null);
        check($error->cause === Cause::ORDER_ALREADY_SENT && $error->action === Action::AskStatus);
        check($error->statusQuery === ['searchType' => '1', 'orderId' => '1']);
        $error = Testing::exception(DuplicateException::class, 'sent before',
            ['previous' => ['state' => 'created', 'url' => 'https://u']]);
        check($error->action === Action::UsePrevious);
        foreach ([$status, ['orderId' => '1']] as $seen) {
            $late = Testing::exception(TimeoutException::class, 'late', ['status' => $seen]);
            check($late->status?->orderId === '1', $late);
        }
        $violations = '{"error":{"violations":[{"rule":"r"},"odd",{"field":"f","message":1}]}}';
        $odd = PayorderException::from(Result::BAD_RESPONSE, $violations)->violations;
        check(array_column($odd, 'field') === ['', 'f'] && $odd[1]->message === '1', $odd);
        $waited = Testing::waited($status);
        check($waited->final && !$waited->timedOut && $waited->status->orderId === '1');
        $waited = Testing::waited(null, $error);
        check($waited->timedOut && $waited->error instanceof DuplicateException);
    },
    'the error of a query asks again' => function (): void {
        $order = order();
        client()->createOrder($order);
        $error = thrown(RejectedException::class,
            fn () => client()->getStatus($order->orderId, ['clientKey' => 'wrong']));
        check(client()->getStatus($error)->orderId === $order->orderId);
        $each = function ($result) use (&$error): void {
            $error = $result->error;
        };
        client()->getStatuses([$order->orderId], $each, ['clientKey' => 'wrong']);
        check(client()->getStatus($error)->orderId === $order->orderId);
    },
    'log events go to a logger of PSR-3' => function (): void {
        $logger = new class implements Psr\Log\LoggerInterface {
            public array $lines = [];

            public function log($level, $message, array $context = []): void
            {
                $this->lines[] = "$level {$context['event']}";
            }
        };
        $client = client(['statusRetries' => 0]);
        $client->setLog(new PsrLog($logger));
        $client->createOrder(order());
        thrown(OutcomeUnknownException::class,
            fn () => $client->createOrder(order('sandbox:drop-before')));
        check(in_array('debug attempt_started', $logger->lines, true), $logger->lines);
        check(in_array('warning attempt_failed', $logger->lines, true), $logger->lines);
    },
    'a text that cannot be sent is refused before the call' => function (): void {
        foreach (["a\0b" => Cause::INVALID_VALUE, "a\xffb" => Cause::NOT_UTF8] as $text => $cause) {
            foreach ([
                fn () => client()->createOrder(order(name: $text)),
                fn () => client()->createOrder(order(), ['extraFields' => ['x' => $text]]),
                fn () => client()->createOrder(order(), ['extraFields' => [$text => 'x']]),
                fn () => client()->getStatus($text),
                fn () => client(['userAgent' => $text]),
            ] as $run) {
                $error = thrown(NotSentException::class, $run);
                check($error->cause === $cause, $error);
                check($error->result === Result::INVALID_ARGUMENT, $error);
            }
        }
    },
    'an order that contains itself is refused before the call' => function (): void {
        $array = ['amount' => '1.00'];
        $array['self'] = &$array;
        $object = new stdClass();
        $object->self = [$object, $object];
        foreach ([$array, ['udf1' => $object]] as $order) {
            $error = thrown(InvalidArgumentException::class, fn () => client()->createOrder($order));
            check(str_contains($error->getMessage(), 'levels; nothing was sent'), $error);
        }
    },
    'an object that JSON would drop is refused before the call' => function (): void {
        $bag = new class {
            private array $fields = ['storeId' => '7'];
        };
        $calls = [['extraFields' => $bag], ['headers' => $bag], ['extraFields' => ['a' => $bag]]];
        foreach ($calls as $options) {
            $error = thrown(InvalidArgumentException::class,
                fn () => client()->createOrder(order(), $options));
            check(str_contains($error->getMessage(), 'give an array; nothing was sent'), $error);
        }
        client()->createOrder(order(), ['extraFields' => new ArrayObject(['storeId' => '7']),
            'headers' => new ArrayIterator(['X-Store' => '7'])]);
    },
    'an answer that PHP cannot read keeps its checkout URL and its status' => function (): void {
        foreach (['"\ud800"', '1e400', '"' . str_repeat('x', 900_000) . '"'] as $odd) {
            $answer = '{"responseCode":"200","responseMessage":"Success","data":'
                . '{"url":"https://pay.example.com/1","orderId":"O-1","odd":' . $odd . '}}';
            $checkout = new Checkout($answer);
            check($checkout->url === 'https://pay.example.com/1', $odd);
            check($checkout->raw === $answer, substr($checkout->raw, 0, 300));
            $status = new Status($answer);
            check($status->orderId === 'O-1' && !$status->completed, $status);
        }
    },
    'an answer may be longer than the library reads' => function (): void {
        ini_set('memory_limit', '512M');
        $created = json_encode(['responseCode' => '200', 'responseMessage' => 'Success', 'data' =>
            ['url' => 'https://x.example/1', 'more' => str_repeat('x', 16 << 20)]]);
        $checkout = new Checkout($created);
        check([$checkout->url, $checkout->responseCode] === ['https://x.example/1', '200']);
        $interrupted = new ReflectionMethod(Client::class, 'interrupted');
        $stop = $interrupted->invoke(null, $created, new DomainException('planted'));
        check($stop instanceof OrderInterruptedException, $stop::class);
        $data = ['transactionStatus' => 'Completed', 'more' => str_repeat('x', 16 << 20)];
        $raw = json_encode(['final' => true, 'status' => ['data' => $data], 'error' => null]);
        $waited = new Waited($raw);
        check($waited->status?->transactionStatus === 'Completed');
        check($waited->error === null);
    },
    'memory for the answer is taken before the order is sent' => function (): void {
        // An answer of 2 MiB, for which the client takes 9.
        $file = tempnam(sys_get_temp_dir(), 'payorder');
        file_put_contents($file, '{"maxResponseBytes":4194304}');
        foreach ([[8_000_000, 0, ''], [40_000_000, 1, ''], [8_000_000, 0, $file]] as $run) {
            [$free, $sent, $config] = $run;
            $orderId = "O-memory-$free$config";
            $program = php(__DIR__ . '/scarce_memory.php', [$orderId, (string) $free], [],
                ['PAYORDER_CONFIG' => $config]);
            [$output] = $program->end();
            check(str_contains($output, 'created http') === ($sent === 1), $output);
            check(str_contains($output, 'Allowed memory size') === ($sent === 0), $output);
            check(sent($orderId) === $sent);
        }
        unlink($file);
    },
    'a signal handler that throws loses no order' => function (): void {
        $closed = client();
        $closed->close();
        foreach ([fn () => throw new DomainException('planted'), $closed->cancel(...)] as $handler) {
            faults('{"rule":"create:*:slow=600"}');
            $client = client();
            pcntl_async_signals(true);
            pcntl_signal(SIGUSR1, fn () => $handler());
            $killer = new Program(['sh', '-c', 'sleep 0.2; kill -USR1 ' . getmypid()]);
            $stop = thrown(OrderInterruptedException::class, fn () => $client->createOrder(order()));
            faults(null);
            check(str_contains($stop->checkout->url, '/checkout/'));
            check(str_contains($stop->getMessage(), $stop->checkout->url));
            check(!$stop instanceof PayorderException);
            $planted = $stop->getPrevious();
            check($planted instanceof DomainException || $planted instanceof InvalidHandleException);
            $killer->end();
            signalLater(SIGUSR1);
            $lost = fn () => $client->createOrder(order('sandbox:drop-after-commit'));
            $error = thrown(ConnectionLostException::class, $lost);
            check($error->getPrevious() instanceof $planted, $error);
        }
        pcntl_signal(SIGUSR1, SIG_DFL);
    },
    'an idle function that throws an error of another call loses no order' => function (): void {
        $closed = client();
        $closed->close();
        faults('{"rule":"create:*:slow=100"}');
        Library::setIdle(function () use ($closed): void {
            usleep(500_000); // the answer arrives
            $closed->cancel();
        });
        $stop = thrown(OrderInterruptedException::class, fn () => client()->createOrder(order()));
        Library::setIdle(null);
        faults(null);
        check($stop->getPrevious() instanceof InvalidHandleException);
    },
    'a second signal handler that throws loses no order' => function (): void {
        $program = 'require $argv[1];
            pcntl_async_signals(true);
            pcntl_signal(SIGUSR1, fn () => throw new DomainException("planted"));
            spl_autoload_register(function (string $class): void {
                if (str_ends_with($class, "InterruptedException")) {
                    posix_kill(getmypid(), SIGUSR1); // the exception is being made
                }
            }, true, true);
            $client = client();
            signalLater(SIGUSR1);
            try {
                $client->createOrder(order());
            } catch (Payorder\OrderInterruptedException $stop) {
                echo $stop->checkout->url;
            }
            $order = order();
            $late = thrown(DomainException::class, fn () => $client->createOrder($order));
            check(sent($order->orderId) === 0);
            echo " ", $late->getMessage();';
        $command = [PHP_BINARY, '-r', $program, __DIR__ . '/support.php'];
        [$said] = (new Program($command))->end();
        check(preg_match('~^http\S+/checkout/\d+ planted$~', $said) === 1, $said);
    },
    'a destructor of the program can take the last answers' => function (): void {
        $program = 'require $argv[1];
            final class Shop
            {
                public static Shop $one;

                public Payorder\\Client $client;

                public function __construct()
                {
                    $this->client = client();
                }

                public function __destruct()
                {
                    echo $this->client->take(60)->value()->url;
                }
            }
            // PHP destroys what is left in the order of its numbers, and gives free ones again.
            $free = array_map(fn () => new stdClass(), range(0, 19));
            for ($at = 0; $at < 18; $at++) {
                unset($free[$at]);
            }
            unset($free[19], $free[18]);
            Shop::$one = new Shop();
            Shop::$one->client->start("createOrder", order());';
        $command = [PHP_BINARY, '-r', $program, __DIR__ . '/support.php'];
        [$said] = (new Program($command))->end();
        check(preg_match('~^http\S+/checkout/\d+$~', $said) === 1, $said);
    },
    'a signal handler that throws loses no answer' => function (): void {
        $client = client();
        [$armed, $started, $taken, $alarms] = [false, [], [], 0];
        pcntl_async_signals(true);
        pcntl_signal(SIGUSR1, function () use (&$armed): void {
            if ($armed) {
                throw new DomainException('planted');
            }
        });
        $killer = signalAllTheTime();
        $end = microtime(true) + 1.2;
        while (microtime(true) < $end || count($taken) < count($started)) {
            if (microtime(true) < $end) {
                $started[$client->start('getStatus', 'none')] = true;
            }
            try {
                $armed = true;
                $ended = $client->take(microtime(true) < $end ? 0.01 : 60);
                $armed = false;
                $taken[$ended?->id] = true;
            } catch (DomainException) {
                $armed = false;
                $alarms++;
            }
            unset($taken[null]);
        }
        posix_kill($killer, SIGKILL);
        pcntl_wait($status);
        pcntl_signal(SIGUSR1, SIG_DFL);
        check($taken == $started && $alarms > 0, $alarms);
    },
    'a signal handler that throws loses no call that was started' => function (): void {
        [$client, $closed] = [client(), client()];
        $closed->close();
        pcntl_signal(SIGUSR1, fn () => $closed->cancel());
        signalLater(SIGUSR1);
        $sale = $client->start('createOrder', order());
        thrown(InvalidHandleException::class, fn () => $client->take(60));
        pcntl_signal(SIGUSR1, SIG_DFL);
        $ended = $client->take(60);
        check($ended->id === $sale && str_contains($ended->value()->url, '/checkout/'), $ended);
        $client->setLog(fn () => null);
        $client->close();
        thrown(InvalidHandleException::class, fn () => $client->start('check', []));
        check(pcntl_async_signals());
    },
    'an answer that the client does not know is not in the way' => function (): void {
        $client = client();
        $sale = $client->start('createOrder', order());
        $started = (fn (): object => $this->started)->call($client);
        (fn () => $this->running = [])->call($started);
        check($client->take(60)?->id === $sale);
        check($client->take() === null);
    },
    'each call can be started' => function (): void {
        $client = client(['maxCalls' => 1]);
        check($client->take() === null);
        $events = 0;
        $client->setLog(function () use (&$events): void {
            $events++;
        });
        $order = order();
        $sale = $client->start('createOrder', $order, ['timeout' => 30]);
        $ready = [fopen("php://fd/{$client->doneHandle()}", 'r')];
        [$write, $except] = [[], []];
        check(stream_select($ready, $write, $except, 60) === 1);
        $ended = $client->take();
        check($ended->id === $sale && str_contains($ended->value()->url, '/checkout/'));
        check(stream_select($ready, $write, $except, 0) === 0);
        // It would run on another thread. A blocking call still has it.
        check($events === 0);
        $client->getStatus($order->orderId);
        check($events > 0);

        $started = function (mixed ...$call) use ($client): mixed {
            $client->start(...$call);
            return $client->take(60)->value();
        };
        $sales = [['orderId' => 'none', 'amount' => '1.00']];
        check($started('check', [])->steps[0]->step === 'name');
        check($started('recover', $sales)->sales[0]->verdict === 'unknown');
        // The options of a call without a request are the second argument or the third.
        $wrong = ['clientKey' => 'wrong'];
        foreach ([['check', $wrong], ['check', null, $wrong]] as $call) {
            check(!$started(...$call)->ok, $call);
        }
        foreach ([['check', [], $wrong], ['check', 'none'], ['recover', 'none'],
            ['recover', false], ['journalResolve', null, ['wrong' => 1]]] as $call) {
            $error = thrown(InvalidArgumentException::class, fn () => $client->start(...$call));
            check($error->action === Action::FixRequest, $error);
        }
        $refused = thrown(RejectedException::class,
            fn () => $started('getStatus', $order->orderId, ['clientKey' => 'wrong']));
        check($started('getStatus', $refused)->orderId === $order->orderId);
        $error = thrown(InvalidArgumentException::class,
            fn () => $client->start('getStatus', $order->orderId, ['wrong' => 1]));
        check($client->getStatus($error)->orderId === $order->orderId);
        foreach (['journalResolve', 'sell'] as $call) {
            thrown(InvalidArgumentException::class, fn () => $client->start($call));
        }
    },
    'a forked child has no answers' => function (): void {
        $client = client();
        $client->start('createOrder', order());
        check(!str_contains(print_r($client, true), 'Asha'));
        if (pcntl_fork() === 0) {
            // Nobody waits for one: closing frees the client.
            $clients = Library::live()['clients'];
            $client->close();
            $freed = $clients - Library::live()['clients'] === 1 && $client->take(60) === null;
            posix_kill(getmypid(), $freed ? SIGTERM : SIGKILL);
        }
        pcntl_wait($status);
        check(pcntl_wtermsig($status) === SIGTERM);
        check(str_contains($client->take(60)->value()->url, '/checkout/'));
    },
    'an interrupted call keeps its result' => function (): void {
        $interrupted = new ReflectionMethod(Client::class, 'interrupted');
        $stop = new DomainException('planted');
        $failed = '{"error":{"result":200,"name":"PAYORDER_TIMEOUT","message":"m"}}';
        $error = $interrupted->invoke(null, $failed, $stop);
        check($error instanceof TimeoutException && $error->getPrevious() === $stop);
    },
];
