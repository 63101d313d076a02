<?php

declare(strict_types=1);

namespace Payorder;

use FFI\CData;

/**
 * The calls that a client has started, and whose answers were not taken.
 *
 * @internal
 */
final class Started
{
    public const FUNCTIONS = [
        'createOrder' => 'payorder_create_order',
        'getStatus' => 'payorder_get_status',
        'waitForPayment' => 'payorder_wait_for_payment',
        'recover' => 'payorder_recover',
        'journalResolve' => 'payorder_journal_resolve',
        'check' => 'payorder_check',
    ];
    /** They have only options. */
    public const WITHOUT_REQUEST = ['journalResolve', 'check'];

    /** @var array<int, array{string, ?string}> the method, and what its exception asks again */
    private array $running = [];
    private int $process;
    private int $last = 0;
    public bool $stopped = false;
    /** What `take` got, until the program has it. */
    public ?Ended $ended = null;
    /** Where the library writes whether there is an answer, its result, its text and its number. */
    private CData $numbers;
    private CData $text;
    private CData $id;

    private \WeakReference $client;

    public function __construct(Client $client, private CData $handle)
    {
        $this->client = \WeakReference::create($client);
        $this->process = getmypid();
        $this->numbers = Native::new('int32_t[2]');
        $this->text = Native::new('char *[1]');
        $this->id = Native::new('uintptr_t[1]');
    }

    /** PHP calls no destructor of a client whose constructor was ended by an exception. */
    public function __destruct()
    {
        // At the end of a request, that of the client may still come.
        if ($this->client->get() === null) {
            Native::ffi()->payorder_client_free($this->handle);
        }
    }

    /** The caller holds signals off: the number of a call that was started must not be lost. */
    public function start(
        ?CData $handle,
        string $call,
        #[\SensitiveParameter] ?string $request,
        #[\SensitiveParameter] string $options,
    ): int {
        $id = ++$this->last;
        $number = Native::new('uintptr_t');
        $number->cdata = $id;
        // Before the call: its answer may be there at once.
        $this->forgetInAChild();
        $asked = $call === 'getStatus' ? $request : null;
        $this->running[$id] = [$call, $asked];
        $name = substr(self::FUNCTIONS[$call] ?? "payorder_$call", strlen('payorder_'));
        $given = [$handle, $name, $request, $options, null, Native::ffi()->cast('void *', $number)];
        try {
            (new Received())->call('payorder_start', ...$given);
        } catch (PayorderException $error) {
            unset($this->running[$id]);
            $error->asked = $asked;
            throw $error;
        }
        return $id;
    }

    /**
     * Waits for the next call that has ended. The caller holds signals off; if $dispatch, their
     * handlers run when the library has returned. If one throws, or the idle function did, an
     * answer stays in its place, or in `ended`, until the next call. An idle function that cancels
     * ends only this wait, and none after `stop`, where the answers come soon.
     */
    public function take(float $milliseconds, bool $dispatch): void
    {
        $this->forgetInAChild();
        if ($dispatch) {
            pcntl_signal_dispatch();
        }
        $ffi = Native::ffi();
        $thrown = null;
        if ($this->ended === null && $this->numbers[0] === 0) {
            $end = hrtime(true) / 1e6 + $milliseconds; // hrtime is a float where PHP has 32 bits
            do {
                $result = Received::guarded('payorder_take_done', [
                    $this->handle,
                    (int) ceil(max(0, $end - hrtime(true) / 1e6)),
                    \FFI::addr($this->numbers[0]),
                    \FFI::addr($this->numbers[1]),
                    $this->text,
                    $ffi->cast('void **', \FFI::addr($this->id[0])),
                ], $thrown);
                if ($result !== Result::OK) {
                    $text = \FFI::string($this->text[0]);
                    $ffi->payorder_string_free($this->text[0]);
                    $this->text[0] = null;
                }
            } while ($result === Result::CANCELLED && $this->stopped && $thrown === null);
            if ($result !== Result::OK && $result !== Result::CANCELLED) {
                throw PayorderException::from($result, $text, $thrown);
            }
            if ($dispatch) {
                pcntl_signal_dispatch();
            }
        }
        if ($this->numbers[0] !== 0) {
            $id = $this->id[0];
            $this->ended ??= $this->ended($id, $this->numbers[1], \FFI::string($this->text[0]));
            unset($this->running[$id]);
            $this->numbers[0] = 0;
            $ffi->payorder_string_free($this->text[0]);
            $this->text[0] = null;
        }
        if ($thrown !== null) {
            throw $thrown;
        }
    }

    public function isEmpty(): bool
    {
        $this->forgetInAChild();
        return $this->running === [];
    }

    private function ended(int $id, int $result, #[\SensitiveParameter] string $text): Ended
    {
        // Also of an unknown one, which must not stand before the others.
        [$call, $asked] = $this->running[$id] ?? ['createOrder', null];
        if ($result !== Result::OK) {
            $error = PayorderException::from($result, $text);
            $error->asked = $asked;
            return new Ended($id, null, $error);
        }
        return new Ended($id, self::read($call, $text), null);
    }

    /** What the library's text says. */
    public static function read(
        string $call,
        #[\SensitiveParameter] string $text,
    ): Checkout|Status|Waited|Recovered|Resolved|Checked {
        return match ($call) {
            'createOrder' => new Checkout($text),
            'getStatus' => new Status($text),
            'waitForPayment' => new Waited($text),
            'recover' => new Recovered(new Json($text)),
            'check' => new Checked(new Json($text)),
            'journalResolve' => new Resolved(new Json($text)),
        };
    }

    /** The calls go on in the parent. */
    private function forgetInAChild(): void
    {
        if ($this->process !== getmypid()) {
            $this->process = getmypid();
            $this->running = [];
            $this->ended = null;
            // Those of a take that an exception ended.
            $this->numbers[0] = 0;
            $this->text[0] = null;
        }
    }
}
