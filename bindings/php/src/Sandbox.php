<?php

declare(strict_types=1);

namespace Payorder;

/**
 * A simulation of the payment service on this machine, for tests. No real money moves. It is a
 * process of its own on a free port, and ends with the program that started it.
 */
final class Sandbox
{
    /** The URL of the service. */
    public readonly string $baseUrl;

    /** @var array<string, string> what a client needs: the URL, the credentials, and no proxy */
    public readonly array $settings;

    /** @var resource */
    private $process;
    private int $owner;
    private array $pipes = [];
    private string $control = '';
    private string $secret = '';

    public function __construct()
    {
        $program = self::program();
        $this->process = proc_open([$program, '--private'], [['pipe', 'r'], ['pipe', 'w']],
            $this->pipes) ?: throw new \RuntimeException("the sandbox $program did not start");
        $this->owner = getmypid();
        $line = '/ (http\S+) with Authorization: Bearer (\S+)/';
        if (!preg_match($line, (string) fgets($this->pipes[1]), $found)
            || fgets($this->pipes[1]) === false) {
            throw new \RuntimeException("the sandbox $program did not start");
        }
        // Nobody reads its log.
        fclose($this->pipes[1]);
        [, $this->control, $this->secret] = $found;
        ['baseUrl' => $url, 'credentials' => $credentials] = $this->ask('GET', '');
        $this->baseUrl = $url;
        $this->settings = ['baseUrl' => $url, 'proxy' => 'none'] + $credentials;
    }

    /** @param array<string, mixed> $more further settings */
    public function client(array $more = []): Client
    {
        return new Client($more + $this->settings);
    }

    /** The customer pays. It returns the order as it is then, as the other three do. */
    public function pay(string $orderId): array
    {
        return $this->press($orderId, 'pay');
    }

    /** The payment fails. The customer can try again. */
    public function fail(string $orderId): array
    {
        return $this->press($orderId, 'fail');
    }

    /** The customer cancels. */
    public function cancel(string $orderId): array
    {
        return $this->press($orderId, 'cancel');
    }

    /** The shop refunds the whole payment. */
    public function refund(string $orderId): array
    {
        return $this->press($orderId, 'refund');
    }

    /** @return list<array<string, mixed>> the orders that the service has */
    public function orders(): array
    {
        return $this->ask('GET', '/orders')['orders'];
    }

    /** @return list<array<string, mixed>> the requests that it got, with their responses */
    public function requests(): array
    {
        return $this->ask('GET', '/requests?after=0')['requests'];
    }

    /** @param string $rule such as "create:1:drop-after-commit" */
    public function fault(string $rule): void
    {
        $this->ask('POST', '/faults', json_encode(['rule' => $rule], JSON_THROW_ON_ERROR));
    }

    /** Forgets all orders, requests and faults. */
    public function reset(): void
    {
        $this->ask('POST', '/reset');
    }

    /**
     * Ends it, unless a forked child of the tests calls this. The end of the program ends it too,
     * also if it is killed.
     */
    public function close(): void
    {
        if (is_resource($this->process)) {
            fclose($this->pipes[0]);
            if (getmypid() === $this->owner) {
                // A forked child has its standard input too, so closing that would not end it.
                proc_terminate($this->process, 9);
            }
            proc_close($this->process);
        }
    }

    private static function program(): string
    {
        $named = (string) getenv('PAYORDER_SANDBOX');
        $places = $named === '' ? [] : [$named];
        foreach ($named === '' ? explode(PATH_SEPARATOR, (string) getenv('PATH')) : [] as $folder) {
            array_push($places, "$folder/payorder-sandbox", "$folder/payorder-sandbox.exe");
        }
        foreach (array_filter($places, 'is_file') as $path) {
            return $path;
        }
        throw new \RuntimeException('there is no payorder-sandbox '
            . ($named === '' ? 'in PATH' : "at $named") . ': put it there from an archive of a '
            . 'release, or name its path in PAYORDER_SANDBOX');
    }

    private function press(string $orderId, string $button): array
    {
        return $this->ask('POST', '/orders/' . rawurlencode($orderId) . "/$button");
    }

    private function ask(string $method, string $path, string $body = ''): array
    {
        $headers = ["Authorization: Bearer $this->secret", 'Content-Type: application/json'];
        $http = ['method' => $method, 'content' => $body, 'header' => $headers,
            'ignore_errors' => true];
        $context = stream_context_create(['http' => $http]);
        $answer = file_get_contents("$this->control/sandbox$path", false, $context);
        $read = json_decode((string) $answer, true);
        return is_array($read) && !isset($read['error']) ? $read
            : throw new \RuntimeException($read['error'] ?? 'the sandbox does not answer');
    }
}
