<?php

declare(strict_types=1);

namespace Payorder;

/** The end of Client::waitForPayment. */
final class Waited implements \JsonSerializable
{
    use Shown;

    /** Whether the status is final; this does not mean that the order is paid. */
    public readonly bool $final;
    public readonly bool $timedOut;
    public readonly int $polls;
    /** The last status seen, or null if none was. */
    public readonly ?Status $status;
    /** Of the last query, if the time ran out and it failed. */
    public readonly ?PayorderException $error;

    /** @internal */
    public function __construct(#[\SensitiveParameter] public readonly string $raw)
    {
        $json = new Json($raw);
        $this->final = $json->isTrue('/final');
        $this->timedOut = $json->isTrue('/timedOut');
        $this->polls = $json->integer('/polls') ?? 0;
        $status = $json->raw('/status');
        $this->status = $status === null ? null : new Status($status);
        $error = $json->raw('/error');
        $this->error = $error === null ? null : PayorderException::from(
            $json->integer('/error/result') ?? Result::INTERNAL_IN_FLIGHT,
            "{\"error\":$error}",
        );
    }

    private function shown(): array
    {
        return ['final' => $this->final, 'timedOut' => $this->timedOut, 'polls' => $this->polls,
            'status' => $this->status, 'error' => $this->error?->getMessage()];
    }
}
