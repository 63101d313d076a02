<?php

declare(strict_types=1);

use Payorder\{Action, Cause, Client, ConnectException, ConnectionLostException};
use Payorder\{DuplicateException, InvalidArgumentException, InvalidConfigException};
use Payorder\{InvalidRequestException, MissingCredentialsException, NotSentException, Order};
use Payorder\{OrderInterruptedException, OutcomeUnknownException, Payorder, PayorderException};
use Payorder\{RateLimitedException, RejectedException, Result, ServiceFailedException};
use Payorder\{TimeoutException, TlsException, UnauthorizedException, UnusableTextException};

return [
    'a sale from order to verification' => function (): void {
        [$client, $order] = [client(), order()];
        $checkout = $client->createOrder($order);
        check(str_starts_with($checkout->url, sandbox()) && $checkout->responseCode === '200');
        $status = $client->getStatus($order->orderId);
        check($status->transactionStatus === 'Pending' && !$status->completed, $status);
        check($status->date === null);
        pay($checkout->url);
        $waited = $client->waitForPayment($order->orderId);
        check($waited->final && !$waited->timedOut && $waited->polls === 1 && !$waited->error);
        check(preg_match('/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/', $waited->status->date) === 1);
        $expected = ['orderId' => $order->orderId, 'amount' => '249.5'];
        check(Payorder::verifyPayment($expected, $waited->status)->paid);
        $payment = Payorder::verifyPayment(['amount' => '1.00'] + $expected, $waited->status);
        check(!$payment->paid && count($payment->reasons) === 1, $payment);
        check($payment->reasons[0]->check === 'amount', $payment);
        check($payment->reasons[0]->actual === '249.50', $payment);
    },
    'every failure of an order has its class' => function (): void {
        $closed = stream_socket_server('tcp://127.0.0.1:0');
        $refused = 'http://' . stream_socket_get_name($closed, false);
        fclose($closed);
        $tls = str_replace('http:', 'https:', sandbox());
        $cases = [
            [['accessToken' => 'wrong'], 'Tea', UnauthorizedException::class,
                RejectedException::class],
            [['baseUrl' => $refused], 'Tea', ConnectException::class, NotSentException::class],
            [['baseUrl' => $tls], 'Tea', TlsException::class, NotSentException::class],
            [[], ' ', InvalidRequestException::class, NotSentException::class],
            [[], 'sandbox:reject', RejectedException::class, RejectedException::class],
            [[], 'sandbox:rate-limit', RateLimitedException::class, RejectedException::class],
            [['timeoutMs' => 300], 'sandbox:stall', TimeoutException::class,
                OutcomeUnknownException::class],
            [[], 'sandbox:drop-after-commit', ConnectionLostException::class,
                OutcomeUnknownException::class],
            [[], 'sandbox:html-502', ServiceFailedException::class, OutcomeUnknownException::class],
        ];
        foreach ($cases as [$more, $product, $class, $base]) {
            $order = order($product);
            $error = thrown($base, fn () => client($more)->createOrder($order));
            check(get_class($error) === $class, $error);
            check($error->operation === 'create_order' && $error->action !== '', $error);
            check($error->getCode() === $error->result);
            $query = ['searchType' => '1', 'orderId' => $order->orderId];
            $unknown = $error instanceof OutcomeUnknownException;
            check($error->statusQuery == ($unknown ? $query : null), $error);
        }
        $config = config(sandbox());
        unset($config['accessToken']);
        $client = new Client($config);
        thrown(MissingCredentialsException::class, fn () => $client->createOrder(order()));
    },
    'a refusal has the reason of the service' => function (): void {
        $error = thrown(RejectedException::class,
            fn () => client()->createOrder(order('sandbox:reject')));
        check($error->responseCode === '400' && $error->httpStatus === 200);
        check(str_contains($error->getMessage(), $error->responseMessage));
        $error = thrown(RejectedException::class,
            fn () => client()->createOrder(order('sandbox:rate-limit')));
        check($error->retryAfterMs === 1000);
    },
    'violations list every field' => function (): void {
        $error = thrown(InvalidRequestException::class,
            fn () => client()->createOrder(['amount' => 100]));
        check(count($error->violations) === 11, $error->violations);
        check($error->violations[0]->field === 'amount' && $error->violations[0]->rule === 'type');
        thrown(TypeError::class, fn () => new Order(...['amount' => 100.10] + order()->toArray()));
    },
    'an invalid configuration or option is not sent' => function (): void {
        $error = thrown(InvalidConfigException::class,
            fn () => client(['timeoutMs' => 0, 'x' => 1]));
        check(str_contains($error->getMessage(), 'timeoutMs'));
        thrown(InvalidArgumentException::class,
            fn () => client()->createOrder(order(), ['limit' => 1]));
        client()->createOrder(order(), ['extraFields' => [], 'timeoutMs' => 5000]);
    },
    'errors without the network say nothing about an order' => function (): void {
        foreach ([
            fn () => Payorder::parseReturnUrl('https://shop.example.com/return'),
            fn () => Payorder::verifyPayment(['orderId' => 'O', 'amount' => '1.00'], 'x'),
            fn () => Payorder::buildCreateOrder([]),
            fn () => Payorder::buildGetStatus([]),
            fn () => Payorder::parseReturnUrl("?txn=a\xff"),
        ] as $run) {
            check(!thrown(UnusableTextException::class, $run) instanceof NotSentException);
        }
        $returned = Payorder::parseReturnUrl('?txn=T%20%E2%98%95');
        check($returned->statusQuery['transactionId'] === 'T ☕', $returned);
        $body = Payorder::buildCreateOrder(order(), ['extraFields' => ['udf' => '1']]);
        check(str_ends_with($body, ',"udf":"1"}'), $body);
    },
    'texts arrive unchanged' => function (): void {
        $names = ['आशा राव', "O'Neill \"Zoë\" \\ <&>", '☕️👩🏽‍💻', '  blanks  ', 'null',
            "a\tb\nc"];
        foreach ($names as $name) {
            $order = order(name: $name);
            client()->createOrder($order);
            check(client()->getStatus($order->orderId)->customerName === $name, $name);
        }
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
    'an answer that PHP cannot read keeps its checkout URL and its status' => function (): void {
        foreach (['"\ud800"', '1e400', '"' . str_repeat('x', 900_000) . '"'] as $odd) {
            $service = new Service('{"responseCode":"200","responseMessage":"Success","data":'
                . '{"url":"https://pay.example.com/1","orderId":"O-1","odd":' . $odd . '}}');
            $client = new Client(config($service->address));
            $checkout = $client->createOrder(order());
            check($checkout->url === 'https://pay.example.com/1', $odd);
            check(str_contains($checkout->raw, trim($odd, '"')), substr($checkout->raw, 0, 300));
            $status = $client->getStatus('O-1');
            check($status->orderId === 'O-1' && !$status->completed, $status);
        }
    },
    'memory for the answer is taken before the order is sent' => function (): void {
        $service = new Service('{"responseCode":"200","responseMessage":"Success","data":'
            . '{"url":"https://pay.example.com/1","padding":"' . str_repeat('x', 900_000) . '"}}');
        foreach ([2_000_000 => false, 4_500_000 => true] as $free => $created) {
            $program = php(__DIR__ . '/scarce_memory.php', [$service->address, (string) $free]);
            [$output] = $program->end();
            check(str_contains($output, 'created https://pay.example.com/1') === $created, $output);
            check(str_contains($output, 'Allowed memory size') !== $created, $output);
        }
        check($service->end() === 1); // the second program's order
    },
    'a signal handler that throws loses no order' => function (): void {
        $answer = '{"responseCode":"200","data":{"url":"https://pay.example.com/1"}}';
        $service = new Service($answer, pauseMs: 600);
        $client = new Client(config($service->address));
        pcntl_async_signals(true);
        pcntl_signal(SIGUSR1, fn () => throw new DomainException('planted'));
        $killer = new Program(['sh', '-c', 'sleep 0.2; kill -USR1 ' . getmypid()]);
        $stop = thrown(OrderInterruptedException::class, fn () => $client->createOrder(order()));
        pcntl_signal(SIGUSR1, SIG_DFL);
        check($stop->checkout->url === 'https://pay.example.com/1');
        check($stop->getPrevious() instanceof DomainException);
        $killer->end();
    },
    'an interrupted call keeps its result' => function (): void {
        $interrupted = new ReflectionMethod(Client::class, 'interrupted');
        $stop = new DomainException('planted');
        $created = '{"responseCode":"200","data":{"url":"https://pay.example.com/1"}}';
        $error = $interrupted->invoke(null, $created, $stop);
        check($error instanceof OrderInterruptedException && !$error instanceof PayorderException);
        check(str_contains($error->getMessage(), 'https://pay.example.com/1'));
        $failed = '{"error":{"result":200,"name":"PAYORDER_TIMEOUT","message":"m"}}';
        $error = $interrupted->invoke(null, $failed, $stop);
        check($error instanceof TimeoutException && $error->getPrevious() === $stop);
    },
    'a duplicate has the previous entry' => function (): void {
        $journal = sys_get_temp_dir() . '/payorder-' . uniqid() . '.sqlite';
        $client = client(['journal' => $journal]);
        $order = order();
        $checkout = $client->createOrder($order);
        $error = thrown(DuplicateException::class, fn () => $client->createOrder($order));
        check($error->action === Action::USE_PREVIOUS && $error->previous->url === $checkout->url);
        check($error->previous->result === Result::OK && $error->previous->amount === '249.50');
        thrown(OutcomeUnknownException::class,
            fn () => $client->createOrder(order('sandbox:drop-after-commit')));
        $entries = $client->journalList(['state' => 'unresolved']);
        check(count($entries) === 1 && $entries[0]->state === 'unknown', $entries);
        check($entries[0]->url === null);
        $resolved = $client->journalResolve();
        check($resolved->summary->ok === 2 && $resolved->entries === [], $resolved);
        $settled = $client->journalSettle($entries[0]->entry, 'पैसे cash');
        check($settled->state === 'settled' && $settled->note === 'पैसे cash', $settled);
        check($client->journalPrune(['olderThanDays' => 1]) === 0);
        $client->close();
        array_map('unlink', glob("$journal*"));
    },
];
