<?php

declare(strict_types=1);

namespace Payorder;

use FFI\CData;

/**
 * A client of one payment service. It blocks during a call, and callbacks run in the same process.
 *
 *     $client = new Client(['baseUrl' => 'https://pay.example.com', 'accessToken' => ...]);
 *
 * The keys of configurations and options are those of docs/configuration.md. Times may be in
 * seconds: `timeout` => 2.5 is `timeoutMs` => 2500. The option `cancellation` is a Cancellation.
 * Every call throws NotSentException, RejectedException or OutcomeUnknownException.
 */
class Client implements ClientInterface
{
    private const DEFAULT_RESPONSE_BYTES = 1048576;
    private const VARIABLES = [
        'PAYORDER_BASE_URL' => 'baseUrl', 'PAYORDER_ACCESS_TOKEN' => 'accessToken',
        'PAYORDER_CLIENT_KEY' => 'clientKey', 'PAYORDER_CLIENT_ID' => 'clientId',
        'PAYORDER_SECRET_KEY' => 'secretKey', 'PAYORDER_JOURNAL' => 'journal',
        'PAYORDER_CA_FILE' => 'caFile',
    ];

    /** The library's client, and the same for new calls: none once the client was closed. */
    private CData $client;
    private ?CData $handle;
    private Started $started;
    private int $responseBytes;
    /** @var (callable(array<string, mixed>): void)|null */
    private $log = null;
    private ?CData $logData = null;
    /** What a signal handler threw when a call had its result already: the next call throws it. */
    private ?\Throwable $late = null;

    /**
     * @param array<string, mixed> $config
     * @throws NotSentException
     */
    public function __construct(
        #[\SensitiveParameter] array $config,
        string $create = 'payorder_client_new',
    ) {
        $this->responseBytes = (int) ($config['maxResponseBytes'] ?? self::DEFAULT_RESPONSE_BYTES);
        $async = Received::hold();
        try {
            $out = Native::new('payorder_client *[1]');
            (new Received())->call($create, Text::settings($config, 'the configuration'), $out);
            $this->client = $this->handle = $out[0];
            $this->started = new Started($this, $this->client);
            Fatal::destruct($this);
        } finally {
            Received::release($async);
        }
    }

    /**
     * A client with the settings of the environment, such as PAYORDER_BASE_URL. What is given here
     * wins.
     *
     * @param array<string, mixed> $config
     * @throws NotSentException
     */
    public static function fromEnv(#[\SensitiveParameter] array $config = []): self
    {
        // The library sees the variables of the process. Those of a request (fastcgi_param, SetEnv)
        // win, as in getenv().
        $seen = [];
        foreach (self::VARIABLES as $name => $key) {
            $value = getenv($name);
            if (!in_array($value, ['', getenv($name, true)], true)) {
                $seen += $key === 'caFile' ? ['tls' => [$key => $value]] : [$key => $value];
            }
        }
        // The file of the settings is the library's, but needMemory has to know this one.
        $file = (string) getenv('PAYORDER_CONFIG', true);
        if (@is_file($file) && @is_readable($file)) {
            $settings = json_decode((string) file_get_contents($file), true);
            $bytes = $settings['maxResponseBytes'] ?? null;
            $seen += $bytes === null ? [] : ['maxResponseBytes' => $bytes];
        }
        $config = array_replace_recursive($seen, $config);
        return new self($config, 'payorder_client_from_env');
    }

    /**
     * Replaces credentials: attempts that begin later use the new ones.
     *
     * @param array<string, string> $credentials
     * @throws NotSentException one cannot be used, or none is given
     */
    public function setCredentials(#[\SensitiveParameter] array $credentials): void
    {
        if (!array_filter($credentials, static fn ($one): bool => $one !== null)) {
            throw Text::unusable(Cause::INVALID_VALUE, 'no credential is given');
        }
        (new Received())->call(
            'payorder_client_set_credentials',
            $this->handle,
            Text::object($credentials, 'the credentials'),
        );
    }

    /**
     * Creates an order at the service. It sends the order once: never again after a byte has left
     * this machine. After an OutcomeUnknownException the order may exist: give its statusQuery to
     * getStatus before anything else.
     *
     * @param Order|array<string, mixed> $order
     * @param array<string, mixed> $options extraFields, resend and those of every call
     * @throws PayorderException
     * @throws OrderInterruptedException with the checkout, if a signal handler throws
     */
    public function createOrder(
        #[\SensitiveParameter] Order|array $order,
        #[\SensitiveParameter] array $options = [],
    ): Checkout {
        // Until the program has the result, no signal handler may replace it.
        $async = Received::hold();
        $received = new Received();
        try {
            try {
                return $this->make('createOrder', $order, $options, $received);
            } finally {
                if ($async) {
                    pcntl_signal_dispatch();
                }
            }
        } catch (\Throwable $stop) {
            if ($stop === $received->error || !$received->arrived()) {
                throw $stop;
            }
            throw self::interrupted($received->text(), $stop);
        } finally {
            $this->release($async);
        }
    }

    /**
     * Asks for the status of an order. A query changes nothing, so it may be repeated: the
     * exception of a query asks the same again.
     *
     * @param string|array<string, mixed>|PayorderException|ReturnUrl|JournalEntry|Sale $query an
     *     order id, a query, or an object with a statusQuery
     * @param array<string, mixed> $options those of every call
     * @throws PayorderException
     */
    public function getStatus(
        #[\SensitiveParameter] mixed $query,
        #[\SensitiveParameter] array $options = [],
    ): Status {
        return $this->make('getStatus', $query, $options);
    }

    /**
     * Asks for the status until the payment is final or the time is up. Queries that fail are
     * repeated.
     *
     * @param string|array<string, mixed>|PayorderException|ReturnUrl|JournalEntry|Sale $query as in
     *     getStatus
     * @param array<string, mixed> $options wait, interval and maxInterval (seconds), final and
     *     those of every call
     * @throws PayorderException
     */
    public function waitForPayment(
        #[\SensitiveParameter] mixed $query,
        #[\SensitiveParameter] array $options = [],
    ): Waited {
        return $this->make('waitForPayment', $query, $options);
    }

    /**
     * Asks for many statuses, several at the same time, and calls $each with every StatusResult as
     * it arrives. If $each returns false, or throws, no more queries are sent, and the results of
     * those in flight are dropped. What it throws comes out of this call.
     *
     * @param iterable<mixed> $queries order ids or queries
     * @param callable(StatusResult): mixed $each
     * @param array<string, mixed> $options concurrency, ratePerSecond and those of every call
     * @throws PayorderException
     */
    public function getStatuses(
        #[\SensitiveParameter] iterable $queries,
        callable $each,
        #[\SensitiveParameter] array $options = [],
    ): Summary {
        [$given, $texts] = [[], []];
        foreach ($queries as $query) {
            $given[] = $query;
            $texts[] = self::query($query);
        }
        $failure = null;
        $stopped = false;
        $take = static function (int $index, int $result, #[\SensitiveParameter] string $json)
            use ($given, $texts, $each, &$failure, &$stopped): bool {
            if ($stopped) {
                return false;
            }
            try {
                $error = $result === Result::OK ? null : PayorderException::from($result, $json);
                $status = $error === null ? new Status($json) : null;
                if ($error !== null) {
                    $error->asked = $texts[$index];
                }
                $one = new StatusResult($index, $given[$index], $status, $error);
                $stopped = $each($one) === false;
            } catch (\Throwable $thrown) {
                $failure = $thrown;
                $stopped = true;
            }
            return !$stopped;
        };
        $data = Callbacks::add($take);
        try {
            $summary = (new Received())->call(
                'payorder_get_statuses',
                $this->handle,
                '[' . implode(',', $texts) . ']',
                self::options($options),
                Callbacks::status(),
                \FFI::addr($data),
            );
        } finally {
            Callbacks::remove($data);
        }
        if ($failure !== null) {
            throw $failure;
        }
        return new Summary(new Json($summary));
    }

    /**
     * After a start: one verdict for each open sale. It takes those of the journal and those that
     * are given, arrays with orderId and amount.
     *
     * @param list<array<string, string>>|null $sales
     * @param array<string, mixed> $options waitMs and those of getStatuses
     * @throws PayorderException
     */
    public function recover(
        #[\SensitiveParameter] ?array $sales = null,
        #[\SensitiveParameter] array $options = [],
    ): Recovered {
        return $this->make('recover', $sales, $options);
    }

    /**
     * Says step by step what works. It asks for one status, and creates no order.
     *
     * @param array<string, mixed> $options orderId and those of getStatus
     * @throws PayorderException
     */
    public function check(#[\SensitiveParameter] array $options = []): Checked
    {
        return $this->make('check', null, $options);
    }

    /**
     * Puts a call into the client's queue, and returns its number at once:
     * `start('createOrder', $order, $options)`, 'getStatus', 'waitForPayment', 'recover',
     * 'journalResolve' or 'check', with the arguments of that method. The last two have only
     * options, which may be the second argument or the third. The call runs on a thread of the
     * library, so the log function gets none of its events. What a signal handler throws meanwhile
     * comes out of the next call, such as take().
     *
     * @param array<string, mixed> $options
     * @throws NotSentException
     */
    public function start(
        string $call,
        #[\SensitiveParameter] mixed $given = null,
        #[\SensitiveParameter] array $options = [],
    ): int {
        $alone = in_array($call, Started::WITHOUT_REQUEST, true);
        if ($given !== null && ($alone || $call === 'recover') && !is_array($given)) {
            $problem = "$call takes an array, not " . get_debug_type($given);
            throw Text::unusable(Cause::INVALID_VALUE, $problem);
        }
        if ($alone && $given !== null && $options !== []) {
            throw Text::unusable(Cause::INVALID_VALUE, "$call has only options; give them once");
        }
        if ($alone) {
            [$given, $options] = [null, $given ?? $options];
        }
        $this->throwLate();
        $log = $this->handle === null ? null : $this->log;
        $async = Received::hold();
        try {
            $request = $this->request($call, $given);
            $options = self::options($options);
            if ($log !== null) {
                $this->setLog(null);
            }
            return $this->started->start($this->handle, $call, $request, $options);
        } finally {
            if ($log !== null) {
                $this->setLog($log);
            }
            $this->release($async);
        }
    }

    /**
     * The next started call that has ended, or null if there is none within so many seconds. The
     * idle function runs meanwhile. If it cancels, it ends only this wait: take() is null, or throws
     * what it threw, and the next take() has the answer. After stop() take() waits only while an
     * answer can still come, and the idle function ends the wait only if it throws.
     */
    public function take(float $wait = 0): ?Ended
    {
        if (is_nan($wait)) {
            throw new \ValueError('the wait is not a number');
        }
        $this->throwLate();
        // A signal handler that throws while an answer is read could end the process.
        $async = Received::hold();
        try {
            if ($this->handle !== null || !$this->started->isEmpty()) {
                // The most that an integer of 32 bits holds.
                $this->started->take(min(1000 * max($wait, 0), 0x7FFFFFFF), $async);
            }
            $this->freeIfUnused();
        } finally {
            if ($async) {
                // A handler that waits runs here. If it throws, the answer stays in its place.
                pcntl_async_signals(true);
            }
        }
        // No handler runs between here and the program's next call.
        [$ended, $this->started->ended] = [$this->started->ended, null];
        return $ended;
    }

    /**
     * What an event loop can wait for: on Unix a descriptor that is readable when take() has an
     * answer. It belongs to the client: `fopen("php://fd/$handle", 'r')` is a copy.
     */
    public function doneHandle(): int
    {
        return Native::ffi()->payorder_done_handle($this->client);
    }

    /**
     * The journal's entries, oldest first.
     *
     * @param array<string, mixed> $options state, orderId, events, limit, after, cancellation
     * @return list<JournalEntry>
     * @throws PayorderException
     */
    public function journalList(#[\SensitiveParameter] array $options = []): array
    {
        $json = new Json($this->journal('payorder_journal_list', $options));
        return Json::all(JournalEntry::class, $json->value('/entries') ?? []);
    }

    /**
     * Asks for the status of every open order, and records it.
     *
     * @param array<string, mixed> $options concurrency, ratePerSecond and those of every call
     * @throws PayorderException
     */
    public function journalResolve(#[\SensitiveParameter] array $options = []): Resolved
    {
        return $this->make('journalResolve', null, $options);
    }

    /**
     * Closes an open entry by hand. This does not cancel the order at the service.
     *
     * @param string|null $note why, in at most 200 characters, without personal data
     * @param array<string, mixed> $options cancellation
     * @throws PayorderException
     */
    public function journalSettle(
        int|JournalEntry $entry,
        ?string $note = null,
        #[\SensitiveParameter] array $options = [],
    ): JournalEntry {
        $options += ['entry' => is_int($entry) ? $entry : $entry->entry];
        $options += $note === null ? [] : ['note' => $note];
        return new JournalEntry(new Json($this->journal('payorder_journal_settle', $options)));
    }

    /**
     * Removes old closed entries, and returns how many.
     *
     * @param array<string, mixed> $options olderThanDays, cancellation
     * @throws PayorderException
     */
    public function journalPrune(#[\SensitiveParameter] array $options = []): int
    {
        $json = new Json($this->journal('payorder_journal_prune', $options));
        return $json->integer('/removed') ?? 0;
    }

    /**
     * Sends the log events of the calls from now on to a function, as arrays with the keys of
     * docs/abi.md; null stops them. It runs during the call. What it throws is dropped, because the
     * result of the call may be the only copy of a checkout URL.
     *
     * @param (callable(array<string, mixed>): void)|null $log
     * @throws InvalidHandleException the client is closed
     */
    public function setLog(?callable $log): void
    {
        if ($log !== null && $this->logData === null) {
            // Weak, so that a client that is forgotten is freed.
            $client = \WeakReference::create($this);
            $this->logData = Callbacks::add(static function (string $event) use ($client): void {
                $log = $client->get()?->log;
                if ($log !== null) {
                    $log(json_decode($event, true));
                }
            });
        }
        $this->log = $log;
        $this->succeeded(Native::ffi()->payorder_client_set_log(
            $this->handle,
            $log === null ? null : Callbacks::log(),
            $log === null ? null : \FFI::addr($this->logData),
        ));
    }

    /**
     * Ends all calls in flight on this client: for a log function or a callback.
     *
     * @throws InvalidHandleException the client is closed
     */
    public function cancel(): void
    {
        $this->succeeded(Native::ffi()->payorder_client_cancel($this->client));
    }

    /**
     * The same, and later calls throw CancelledException and send nothing.
     *
     * @throws InvalidHandleException the client is closed
     */
    public function stop(): void
    {
        $this->succeeded(Native::ffi()->payorder_client_stop($this->client));
        $this->started->stopped = true;
    }

    /**
     * Frees the client. Later calls throw InvalidHandleException. Calls that were started go on,
     * and take() gives their answers. A second time does nothing.
     */
    public function close(): void
    {
        $this->handle = null;
        $this->freeIfUnused();
    }

    private function freeIfUnused(): void
    {
        if ($this->handle === null && $this->started->isEmpty()) {
            // The handle of a freed client stays invalid.
            Native::ffi()->payorder_client_free($this->client);
        }
    }

    public function __destruct()
    {
        if (isset($this->client)) {
            Native::ffi()->payorder_client_free($this->client);
        }
        if ($this->logData !== null) {
            Callbacks::remove($this->logData);
        }
    }

    private function __clone()
    {
    }

    /** @return array<string, mixed> */
    public function __serialize(): array
    {
        throw new \LogicException('a client cannot be serialized: create another one');
    }

    /** @param array<string, mixed> $options */
    private function journal(string $function, #[\SensitiveParameter] array $options): string
    {
        return (new Received())->call($function, $this->handle, self::options($options));
    }

    /** @param array<string, mixed> $options */
    private static function options(#[\SensitiveParameter] array $options): string
    {
        if (($options['cancellation'] ?? null) instanceof Cancellation) {
            $options['cancellation'] = $options['cancellation']->token;
        }
        return Text::settings($options, 'the options');
    }

    /**
     * Makes a call that can also be started.
     *
     * @param array<string, mixed> $options
     */
    private function make(
        string $call,
        #[\SensitiveParameter] mixed $given,
        #[\SensitiveParameter] array $options,
        Received $received = new Received(),
    ): Checkout|Status|Waited|Recovered|Resolved|Checked {
        $this->throwLate();
        $request = $this->request($call, $given);
        $texts = in_array($call, Started::WITHOUT_REQUEST, true) ? [] : [$request];
        $texts[] = self::options($options);
        try {
            $text = $received->call(Started::FUNCTIONS[$call], $this->handle, ...$texts);
        } catch (PayorderException $error) {
            $error->asked = $call === 'getStatus' ? $request : null;
            throw $error;
        }
        return Started::read($call, $text);
    }

    private function request(string $call, #[\SensitiveParameter] mixed $given): ?string
    {
        if ($call === 'createOrder') {
            $this->needMemory();
        }
        $sales = [];
        foreach ($call === 'recover' ? $given ?? [] : [] as $sale) {
            $sales[] = Text::object($sale, 'a sale');
        }
        return match (true) {
            $call === 'createOrder' =>
                Text::object($given instanceof Order ? $given->toArray() : $given, 'the order'),
            $call === 'getStatus', $call === 'waitForPayment' => self::query($given),
            $call === 'recover' && $given !== null => '[' . implode(',', $sales) . ']',
            default => null, // the library refuses an unknown one
        };
    }

    private static function query(#[\SensitiveParameter] mixed $query): string
    {
        if (is_object($query) && isset($query->statusQuery)) {
            $query = $query->statusQuery;
        } elseif ($query instanceof PayorderException && $query->asked !== null) {
            return $query->asked;
        }
        return Text::object(is_array($query) ? $query : [
            'searchType' => '1',
            'orderId' => Text::text($query, 'orderId'),
        ], 'the query');
    }

    /**
     * If memory_limit leaves no room for the response, which may be the only copy of the checkout
     * URL, PHP ends the program here, before the order is sent.
     */
    private function needMemory(): void
    {
        $bytes = 2 * $this->responseBytes + self::DEFAULT_RESPONSE_BYTES;
        $text = (string) ini_get('memory_limit');
        $unit = ['k' => 1 << 10, 'm' => 1 << 20, 'g' => 1 << 30];
        $limit = (int) $text * ($unit[strtolower(substr($text, -1))] ?? 1);
        if ($limit > 0 && $limit - memory_get_usage(true) < 2 * $bytes) {
            str_repeat('-', $bytes);
        }
    }

    /** The error of a call that has its response, but was stopped by the program's exception. */
    private static function interrupted(
        #[\SensitiveParameter] string $text,
        \Throwable $stop,
    ): \Throwable {
        if (Json::textOf($text, '/responseCode') !== null) {
            return new OrderInterruptedException(new Checkout($text), $stop);
        }
        $result = (int) (Json::get($text, '/error/result') ?? Result::INTERNAL_IN_FLIGHT);
        return PayorderException::from($result, $text, $stop);
    }

    /** Signal handlers run again. */
    private function release(bool $async): void
    {
        try {
            Received::release($async);
        } catch (\Throwable $late) {
            $this->late ??= $late;
        }
    }

    private function throwLate(): void
    {
        [$late, $this->late] = [$this->late, null];
        if ($late !== null) {
            throw $late;
        }
    }

    private function succeeded(int $result): void
    {
        if ($result !== Result::OK) {
            throw PayorderException::own(
                $result,
                Cause::CLIENT_FREED,
                Action::FixRequest,
                'the client is closed; create another one',
            );
        }
    }
}
