<?php

declare(strict_types=1);

use Payorder\{CancelledException, CancelledInFlightException, InvalidRequestException, Payorder};
use Payorder\{RejectedException, StatusResult};

return [
    'many statuses' => function (): void {
        [$client, $first, $second] = [client(), order(), order()];
        pay($client->createOrder($first)->url);
        $client->createOrder($second);
        $queries = [$first->orderId, [], ['orderId' => $second->orderId], 'none'];
        $results = [];
        $summary = $client->getStatuses(new ArrayIterator($queries),
            function (StatusResult $result) use (&$results): void {
                gc_collect_cycles(); // the callback must stay alive
                $results[$result->index] = $result;
            }, ['concurrency' => 2, 'ratePerSecond' => 1000.5]);
        check($summary->asked === 4 && $summary->ok === 2 && $summary->notSent === 1, $summary);
        check($summary->transactionStatus === ['Completed' => 1, 'Pending' => 1], $summary);
        check($results[0]->status->completed && $results[0]->query === $first->orderId);
        check($results[1]->error instanceof InvalidRequestException);
        check($results[1]->status === null);
        check($results[3]->error instanceof RejectedException);
    },
    'an exception ends the batch and comes out of the call' => function (): void {
        [$client, $calls] = [client(), 0];
        $each = function () use (&$calls): void {
            $calls++;
            throw new DomainException('planted');
        };
        $queries = array_fill(0, 300, 'none');
        thrown(DomainException::class, fn () => $client->getStatuses($queries, $each));
        check($calls === 1 && Payorder::live()['calls'] === 0, $calls);
        $client->createOrder(order());
    },
    'an idle function cancels a call' => function (): void {
        [$client, $calls] = [client(), 0];
        Payorder::setIdle(function () use (&$calls): ?string {
            return ++$calls === 3 ? 'cancel' : null;
        });
        thrown(CancelledInFlightException::class,
            fn () => $client->createOrder(order('sandbox:stall')));
        check($calls === 3, $calls);
        pcntl_async_signals(true);
        pcntl_signal(SIGALRM, fn () => throw new DomainException('planted'));
        Payorder::setIdle(fn () => null);
        pcntl_alarm(1);
        $warned = '';
        set_error_handler(function (int $kind, string $message) use (&$warned): bool {
            return (bool) ($warned = $message);
        });
        thrown(CancelledInFlightException::class,
            fn () => $client->createOrder(order('sandbox:stall')));
        restore_error_handler();
        check(str_contains($warned, 'planted'), $warned);
        pcntl_signal(SIGALRM, SIG_DFL);
        Payorder::setIdle(null);
    },
    'a callback may make calls, also many statuses' => function (): void {
        $client = client();
        $inner = 0;
        $client->getStatuses(['a', 'b'], function () use ($client, &$inner): void {
            $client->getStatuses(['c', 'd'], function () use (&$inner): void {
                $inner++;
            });
        });
        check($inner === 4, $inner);
    },
    'a callback may cancel the queries in flight' => function () use ($sandbox): void {
        $order = order('sandbox:status-stall');
        $client = client();
        $client->createOrder($order);
        $errors = [];
        $summary = $client->getStatuses(['none', $order->orderId],
            function (StatusResult $result) use ($client, $order, $sandbox, &$errors): void {
                $errors[$result->index] = $result->error;
                if ($result->index === 0) { // the sandbox never answers the other query
                    $sandbox->waitFor("GetStatus .* order $order->orderId");
                    $client->cancel();
                }
            }, ['concurrency' => 2]);
        check($summary->stopped && $errors[1] instanceof CancelledInFlightException, $errors);
    },
    'a client from the environment, new credentials and a stop' => function (): void {
        // The tests run with PAYORDER_BASE_URL.
        $client = \Payorder\Client::fromEnv(['accessToken' => 'wrong', 'proxy' => 'none']);
        thrown(RejectedException::class, fn () => $client->createOrder(order()));
        $client->setCredentials(['accessToken' => config(sandbox())['accessToken']]);
        $client->createOrder(order());
        $client->stop();
        $error = thrown(CancelledException::class, fn () => $client->createOrder(order()));
        check($error->cause === \Payorder\Cause::CLIENT_STOPPED, $error->cause);
    },
    'log events have no personal data, and stop' => function (): void {
        [$client, $order, $events] = [client(), order(), []];
        $client->setLog(function (array $event) use (&$events): void {
            $events[] = $event;
        });
        gc_collect_cycles();
        $client->createOrder($order);
        $names = ['attempt_started', 'attempt_finished', 'call_finished'];
        check(array_column($events, 'event') === $names, $events);
        check(!str_contains(json_encode($events), $order->customerName));
        $client->setLog(null);
        $client->getStatus($order->orderId);
        check(count($events) === 3);
    },
    'a log function that throws loses no checkout' => function (): void {
        $client = client();
        $client->setLog(fn () => throw new DomainException('planted'));
        check($client->createOrder(order())->url !== '');
    },
    'a client may be closed during its call' => function (): void {
        $client = client();
        $client->setLog(function () use ($client): void {
            $client->close();
        });
        check($client->createOrder(order())->url !== '');
        check(Payorder::live()['clients'] === 0);
    },
    'a forgotten client is freed, also with a log function that refers to it' => function (): void {
        $client = client();
        $client->setLog(fn () => $client->cancel());
        unset($client);
        gc_collect_cycles();
        check(Payorder::live()['clients'] === 0, Payorder::live());
    },
    'a client is neither copied nor serialized' => function (): void {
        thrown(Error::class, fn () => clone client());
        thrown(LogicException::class, fn () => serialize(client()));
    },
];
