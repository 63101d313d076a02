<?php

declare(strict_types=1);

use Payorder\{CancelledException, CancelledInFlightException, Library, RejectedException};

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
        $warned = '';
        set_error_handler(function (int $kind, string $message) use (&$warned): bool {
            return (bool) ($warned = $message);
        });
        thrown(CancelledInFlightException::class,
            fn () => $client->createOrder(order('sandbox:stall')));
        restore_error_handler();
        check(str_contains($warned, 'planted'), $warned);
        pcntl_signal(SIGALRM, SIG_DFL);
        Library::setIdle(null);
    },
    'a client is neither copied nor serialized' => function (): void {
        thrown(Error::class, fn () => clone client());
        thrown(LogicException::class, fn () => serialize(client()));
    },
];
