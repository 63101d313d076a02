<?php

declare(strict_types=1);

use Payorder\{Cancellation, CancelledException, CancelledInFlightException, Client, Library};
use Payorder\{OutcomeUnknownException, PayorderException};

return [
    'an idle function cancels a call' => function (): void {
        [$client, $calls] = [client(), 0];
        Library::setIdle(function () use (&$calls): ?string {
            return ++$calls === 3 ? 'cancel' : null;
        });
        thrown(CancelledInFlightException::class,
            fn () => $client->createOrder(order('sandbox:stall')));
        check($calls === 3, $calls);
        pcntl_async_signals(true);
        pcntl_signal(SIGALRM, fn () => throw new DomainException('planted'));
        Library::setIdle(fn () => null);
        pcntl_alarm(1);
        // As frameworks have it: a warning in a callback would end the process.
        set_error_handler(fn (int $kind, string $text) => throw new ErrorException($text));
        $error = thrown(CancelledInFlightException::class,
            fn () => $client->createOrder(order('sandbox:stall')));
        restore_error_handler();
        check($error->getPrevious()?->getMessage() === 'planted', $error);
        pcntl_signal(SIGALRM, SIG_DFL);
        Library::setIdle(null);
    },
    'what a call threw does not come out of the next one' => function (): void {
        pcntl_async_signals(true);
        pcntl_signal(SIGUSR1, fn () => throw new DomainException('signal'));
        Library::setIdle(function (): void {
            posix_kill(getmypid(), SIGUSR1); // its handler runs after the call
            throw new DomainException('idle');
        });
        $error = thrown(PayorderException::class,
            fn () => client()->createOrder(order('sandbox:stall')));
        Library::setIdle(null);
        pcntl_signal(SIGUSR1, SIG_DFL);
        check($error->getPrevious()?->getMessage() === 'signal', $error);
        check(Library::parseReturnUrl('?txn=1')->statusQuery !== null);
    },
    'a call of a log function does not get what the outer call threw' => function (): void {
        [$client, $other, $checkout, $calls] = [client(), client(), null, 0];
        Library::setIdle(function () use (&$calls): void {
            ++$calls > 1 ?: throw new DomainException('planted');
        });
        $client->setLog(function (array $event) use ($other, &$checkout): void {
            if ($event['event'] === 'attempt_failed') {
                $checkout = $other->createOrder(order());
            }
        });
        $error = thrown(CancelledInFlightException::class,
            fn () => $client->createOrder(order('sandbox:stall')));
        Library::setIdle(null);
        check(str_contains((string) $checkout?->url, '/checkout/'), $checkout);
        check($error->getPrevious()?->getMessage() === 'planted', $error);
    },
    'an idle function that throws ends take, and loses no answer' => function (): void {
        $client = client();
        $sale = null;
        Library::setIdle(function () use ($client, &$sale): void {
            // The wait has begun. Its answer arrives before the exception.
            $sale = startedAndDone($client);
            throw new DomainException('planted');
        });
        $error = thrown(DomainException::class, fn () => $client->take(60));
        Library::setIdle(null);
        check($error->getMessage() === 'planted', $error);
        $ended = $client->take();
        check($ended->id === $sale && str_contains($ended->value()->url, '/checkout/'));
        // The library has freed this text: var_dump must not read it.
        $started = (fn (): object => $this->started)->call($client);
        check((fn (): bool => $this->text[0] === null)->call($started));
    },
    'an idle function that ends take ends no call' => function (): void {
        $client = client();
        $sale = $client->start('createOrder', order('sandbox:stall'), ['timeout' => 0.5]);
        Library::setIdle(fn () => 'cancel');
        check($client->take(60) === null);
        Library::setIdle(fn () => throw new DomainException('planted'));
        check(thrown(DomainException::class, fn () => $client->take(60))->getMessage() === 'planted');
        Library::setIdle(null);
        $ended = $client->take(60);
        check($ended->id === $sale && $ended->error instanceof OutcomeUnknownException, $ended);
        // After a stop the answers come soon, and none may be forgotten.
        $sale = $client->start('createOrder', order('sandbox:stall'));
        Library::setIdle(fn () => 'cancel');
        $client->stop();
        check($client->take(60)?->id === $sale);
        check($client->take(60) === null);
        Library::setIdle(null);
    },
    'a child gets no answer of a take that an exception ended' => function (): void {
        $client = client();
        pcntl_async_signals(true);
        pcntl_signal(SIGUSR1, fn () => throw new DomainException('planted'));
        $sale = null;
        Library::setIdle(function () use ($client, &$sale): void {
            $sale = startedAndDone($client);
            posix_kill(getmypid(), SIGUSR1); // its handler runs after the wait, which has an answer
        });
        thrown(DomainException::class, fn () => $client->take(60));
        Library::setIdle(null);
        pcntl_signal(SIGUSR1, SIG_DFL);
        if (pcntl_fork() === 0) {
            posix_kill(getmypid(), $client->take() === null ? SIGTERM : SIGKILL);
        }
        pcntl_wait($status);
        check(pcntl_wtermsig($status) === SIGTERM);
        check($client->take(60)?->id === $sale);
    },
    'signal handlers run after one of them threw, and no client is left' => function (): void {
        $client = client();
        pcntl_async_signals(true);
        [$armed, $thrown] = [false, 0];
        pcntl_signal(SIGUSR1, function () use (&$armed): void {
            if ($armed) {
                $armed = false;
                throw new DomainException('planted');
            }
        });
        $killer = signalAllTheTime();
        $end = microtime(true) + 2;
        while (microtime(true) < $end && pcntl_async_signals()) {
            try {
                $armed = true;
                $client->take();
                new Client(['baseUrl' => 'https://pay.example.com']);
                $armed = false;
            } catch (DomainException) {
                $thrown++;
            }
        }
        posix_kill($killer, SIGKILL);
        pcntl_wait($status);
        pcntl_signal(SIGUSR1, SIG_DFL);
        check(pcntl_async_signals() && $thrown > 0, $thrown);
    },
    'take waits for as long as it is told' => function (): void {
        $client = client();
        $calls = 0;
        Library::setIdle(function () use (&$calls): ?string {
            return ++$calls === 3 ? 'cancel' : null;
        });
        foreach ([INF, 4294967.296] as $wait) {
            $calls = 0;
            check($client->take($wait) === null && $calls === 3, $calls);
        }
        Library::setIdle(null);
        thrown(ValueError::class, fn () => $client->take(NAN));
    },
    'a client is neither copied nor serialized' => function (): void {
        thrown(Error::class, fn () => clone client());
        thrown(LogicException::class, fn () => serialize(client()));
        thrown(LogicException::class, fn () => serialize(new Cancellation()));
    },
];
