<?php

declare(strict_types=1);

require __DIR__ . '/../samples/till.php';
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

function client(array $more = []): Client
{
    return Client::fromEnv($more);
}

/** A new order; its product may have a marker of the sandbox. */
function order(string $product = 'Tea', string $name = 'Asha Rao'): Order
{
    static $number = 0;
    $id = getmypid() . '-' . ++$number;
    $more = ['productInfo' => $product, 'customerName' => $name];
    return new Order(...$more + newOrder("O-$id", '249.50')->toArray());
}

/** Adds a rule for faults of the sandbox; null removes all. */
function faults(?string $rule): void
{
    $method = $rule === null ? 'DELETE' : 'POST';
    $http = ['method' => $method, 'content' => $rule ?? '', 'header' => 'Content-Type: text/plain'];
    $address = getenv('PAYORDER_BASE_URL') . '/sandbox/faults';
    file_get_contents($address, false, stream_context_create(['http' => $http]));
}

/** How often the sandbox has got an order. */
function sent(string $orderId): int
{
    return substr_count(file_get_contents(getenv('SANDBOX_OUTPUT')), "order $orderId\n");
}

/** Sends a signal to this process, whose handler waits until the end of the next call. */
function signalLater(int $signal): void
{
    pcntl_async_signals(false);
    posix_kill(getmypid(), $signal);
    pcntl_async_signals(true);
}

/** Sends SIGUSR1 to this process all the time. Returns the process that does it: kill it. */
function signalAllTheTime(): int
{
    $program = getmypid();
    $killer = pcntl_fork();
    while ($killer === 0) {
        usleep(700);
        posix_kill($program, SIGUSR1);
        posix_getppid() === $program || posix_kill(getmypid(), SIGKILL);
    }
    return $killer;
}

/** Starts an order and waits until its answer can be taken. Returns its number. */
function startedAndDone(Client $client): int
{
    $sale = $client->start('createOrder', order());
    $ready = [fopen("php://fd/{$client->doneHandle()}", 'r')];
    [$write, $except] = [[], []];
    check(stream_select($ready, $write, $except, 60) === 1);
    return $sale;
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

    /** @return array{string, int} its output, and its exit status */
    public function end(): array
    {
        return [(string) stream_get_contents($this->pipes[1]), proc_close($this->process)];
    }
}

/** Runs a PHP program with settings of php.ini. */
function php(string $file, array $arguments = [], array $ini = [], array $environment = []): Program
{
    $settings = array_merge(...array_map(static fn (string $one): array => ['-d', $one], $ini));
    return new Program([PHP_BINARY, ...$settings, $file, ...$arguments], $environment);
}

/** A page of PHP's own web server, whose process answers one request after the other. */
final class Server
{
    public readonly string $folder;
    public readonly string $address;
    /** @var resource */
    private $process;

    public function __construct(string $page)
    {
        $this->folder = sys_get_temp_dir() . '/payorder-' . uniqid();
        mkdir($this->folder);
        $this->page($page);
        $this->process = proc_open([PHP_BINARY, '-d', 'ffi.enable=true', '-S', '127.0.0.1:0',
            '-t', $this->folder], [2 => ['file', "$this->folder/log", 'w']], $pipes);
        for ($tries = 0; !preg_match('~http://(\S+?)\)~', $this->log(), $found); $tries++) {
            check($tries < 500, $this->log());
            usleep(20_000);
        }
        $this->address = $found[1];
    }

    public function page(string $code): void
    {
        file_put_contents("$this->folder/page.php",
            '<?php require ' . var_export(__FILE__, true) . ";$code");
    }

    public function get(string $query = ''): string
    {
        $ignore = stream_context_create(['http' => ['ignore_errors' => true]]);
        return (string) @file_get_contents("http://$this->address/page.php?$query", false, $ignore);
    }

    private function log(): string
    {
        return (string) file_get_contents("$this->folder/log");
    }

    public function __destruct()
    {
        proc_terminate($this->process);
        proc_close($this->process);
        exec("rm -r $this->folder");
    }
}
