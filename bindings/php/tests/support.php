<?php

declare(strict_types=1);

require __DIR__ . '/../autoload.php';
require_once __DIR__ . '/psr_log.php';

use Payorder\{Client, Order};

/** Fails the test if a condition does not hold. */
function check(bool $holds, mixed ...$values): void
{
    if (!$holds) {
        throw new AssertionError(trim(print_r($values, true)));
    }
}

/** Expects an exception, and returns it. */
function thrown(string $class, callable $run): Throwable
{
    try {
        $run();
    } catch (Throwable $thrown) {
        check($thrown instanceof $class, $thrown);
        return $thrown;
    }
    throw new AssertionError("$class was not thrown");
}

function sandbox(): string
{
    return getenv('PAYORDER_BASE_URL');
}

function config(string $address, array $more = []): array
{
    return $more + [
        'baseUrl' => $address,
        'accessToken' => 'sandbox-access-token',
        'clientKey' => 'sandbox-client-key',
        'clientId' => 'sandbox-client-id',
        'secretKey' => 'sandbox-secret-key',
        'proxy' => 'none',
    ];
}

function client(array $more = []): Client
{
    return new Client(config(sandbox(), $more));
}

/** A new order; its product may have a marker of the sandbox. */
function order(string $product = 'Tea', string $name = 'Asha Rao'): Order
{
    static $number = 0;
    $id = getmypid() . '-' . ++$number;
    return new Order(
        amount: '249.50',
        merchantTxnId: "T-$id",
        orderId: "O-$id",
        payMode: 'all',
        merchantId: 'M-1',
        productInfo: $product,
        customerName: $name,
        customerMobile: '9000000001',
        customerEmail: 'asha@example.com',
        redirectionURL: 'https://shop.example.com/return',
        currencyCode: 'INR',
    );
}

/** A program that runs in another process. */
final class Program
{
    /** @var resource */
    private $process;
    private array $pipes = [];

    public function __construct(array $command, array $environment = [])
    {
        $streams = [['file', '/dev/null', 'r'], ['pipe', 'w'], ['redirect', 1]];
        $environment += getenv();
        $this->process = proc_open($command, $streams, $this->pipes, null, $environment);
    }

    public function line(): string
    {
        return (string) fgets($this->pipes[1]);
    }

    /** @return array{string, int} the rest of its output, and its exit status */
    public function end(): array
    {
        return [(string) stream_get_contents($this->pipes[1]), proc_close($this->process)];
    }

    /** Kills it, and returns what it printed until then. */
    public function kill(): string
    {
        proc_terminate($this->process, SIGKILL);
        return $this->end()[0];
    }
}

/** Runs a PHP program with settings of php.ini. */
function php(string $file, array $arguments = [], array $ini = [], array $environment = []): Program
{
    $settings = array_merge(...array_map(static fn (string $one): array => ['-d', $one], $ini));
    return new Program([PHP_BINARY, ...$settings, $file, ...$arguments], $environment);
}

/** A service that gives every request the same answer. Its output has a line for each request. */
final class Service
{
    public readonly string $address;
    private readonly Program $program;
    private bool $ended = false;

    public function __construct(string $answer, int $pauseMs = 0)
    {
        $file = tempnam(sys_get_temp_dir(), 'payorder');
        file_put_contents($file, $answer);
        $this->program = php(__DIR__ . '/service.php', [$file, (string) $pauseMs]);
        $this->address = trim($this->program->line());
        unlink($file);
    }

    /** Ends it, and returns how many requests there were. */
    public function end(): int
    {
        $this->ended = true;
        return substr_count($this->program->kill(), "request\n");
    }

    public function __destruct()
    {
        if (!$this->ended) {
            $this->end();
        }
    }
}
