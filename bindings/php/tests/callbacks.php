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
        // As frameworks have it: a warning in a callback would end the process.
        set_error_handler(fn (int $kind, string $text) => throw new ErrorException($text));
        $error = thrown(CancelledInFlightException::class,
            fn () => $client->createOrder(order('sandbox:stall')));
        restore_error_handler();
        check($error->getPrevious()?->getMessage() === 'planted', $error);
        pcntl_signal(SIGALRM, SIG_DFL);
        Library::setIdle(null);
    },
    'a client is neither copied nor serialized' => function (): void {
        thrown(Error::class, fn () => clone client());
        thrown(LogicException::class, fn () => serialize(client()));
    },
];
