<?php

// The PHP package's driver of the conformance suite: see bindings/conformance/README.md. It reads
// one step per line, as JSON, and writes one report per line. It uses the package as a program
// does.

declare(strict_types=1);

require __DIR__ . '/autoload.php';

use Payorder\{Cancellation, Client, JournalEntry, Library, NotSentException};
use Payorder\{Order, OutcomeUnknownException, PayorderException, RejectedException, Sale, Status};
use Payorder\{Summary, UnusableTextException};

const FEATURES = ['started', 'exceptions', 'gc', 'finalizers', 'log-in-call', 'load', 'opens',
    'untyped', 'closing', 'query-text', 'check'];
const STARTED = ['create' => 'createOrder', 'status' => 'getStatus', 'wait' => 'waitForPayment'];
const CLASSES = [
    'not_sent' => 'NotSentException',
    'rejected' => 'RejectedException',
    'unknown' => 'OutcomeUnknownException',
    'unusable' => 'UnusableTextException',
];

/** The exception of the step `throw`. */
final class Planted extends Exception
{
}

final class Driver
{
    /** @var array<string, Client> */
    private array $clients = [];
    /** @var array<string, Cancellation> */
    private array $cancellations = [];
    /** @var list<array<string, mixed>> */
    private array $events = [];

    /** Runs a step, and reports how it ended. */
    public function run(array $step): array
    {
        if (isset($step['thread'])) {
            return $this->start($step);
        }
        $report = [];
        $perform = function () use ($step, &$report): mixed {
            return $this->perform($step, $report);
        };
        $end = self::end($perform);
        return $report + $end;
    }

    /** How something ended. */
    private static function end(callable $perform): array
    {
        try {
            return ['ok' => true, 'value' => self::report($perform())];
        } catch (PayorderException $error) {
            return ['ok' => false, 'error' => self::failure($error)];
        } catch (Planted $error) {
            return ['ok' => false, 'thrown' => $error->getMessage()];
        }
    }

    private function start(array $step): array
    {
        $client = $this->clients[$step['client']];
        $given = isset($step['order']) ? self::order($step) : $step['query'];
        $end = self::end(
            fn (): int => $client->start(STARTED[$step['op']], $given, $this->options($step)),
        );
        return ['call' => $end['value'] ?? null] + $end;
    }

    private function take(Client $client, array &$report): mixed
    {
        $ended = $client->take(60);
        $report['call'] = $ended->id;
        return $ended->value();
    }

    private function perform(array $step, array &$report): mixed
    {
        $client = fn (): Client => $this->clients[$step['client']];
        return match ($step['op']) {
            'open' => (function () use ($step): void {
                $this->clients[$step['client']] = new Client($step['config']);
            })(),
            'create' => $client()->createOrder(self::order($step), $this->options($step)),
            'status' => $client()->getStatus($step['query'], $this->options($step)),
            'wait' => $client()->waitForPayment($step['query'], $this->options($step)),
            'statuses' => $this->statuses($step, $report),
            'journal' => $this->journal($step),
            'check' => $client()->check($this->options($step)),
            'recover' => $client()->recover($step['sales'] ?? null, $this->options($step)),
            'credentials' => $client()->setCredentials($step['credentials']),
            'shutdown' => $client()->stop(),
            'build' => isset($step['query'])
                ? Library::buildGetStatus($step['query'])
                : Library::buildCreateOrder(self::order($step), $step['options'] ?? []),
            'parse' => Library::parseReturnUrl($step['url']),
            'verify' => Library::verifyPayment($step['expected'], $step['status']),
            'cancellation' => (function () use ($step): void {
                $this->cancellations[$step['cancellation']] = new Cancellation();
            })(),
            'cancel', 'close' => isset($step['cancellation'])
                ? $this->cancellations[$step['cancellation']]->{$step['op']}()
                : $client()->{$step['op']}(),
            'take' => $this->take($client(), $report),
            'log' => $this->log($step),
            'events' => (function (): array {
                [$taken, $this->events] = [$this->events, []];
                return $taken;
            })(),
            'counters' => Library::live(),
            'collect' => gc_collect_cycles() < 0 ?: null,
            'forget' => $this->forget($step),
            'throw' => throw new Planted('planted'),
            'stop' => false,
        };
    }

    private function forget(array $step): void
    {
        unset($this->clients[$step['client']]);
    }

    private function log(array $step): void
    {
        $client = $this->clients[$step['client']];
        if (!($step['on'] ?? true)) {
            $client->setLog(null);
            return;
        }
        $client->setLog(function (array $event) use ($step): void {
            $this->events[] = $event + ['thread' => 'caller'];
            if (isset($step['then']) && $event['event'] === $step['at']) {
                $report = [];
                $this->perform($step['then'], $report);
            }
        });
    }

    private function statuses(array $step, array &$report): Summary
    {
        $report['items'] = [];
        $each = function ($result) use ($step, &$report): ?bool {
            $report['items'][] = [
                'index' => $result->index,
                'ok' => $result->error === null,
                'thread' => 'caller',
                'value' => self::report($result->status),
                'error' => $result->error === null ? null : self::failure($result->error),
            ];
            if (!isset($step['then']) || count($report['items']) !== $step['at'] + 1) {
                return null;
            }
            $inner = [];
            return $this->perform($step['then'], $inner) === false ? false : null;
        };
        $client = $this->clients[$step['client']];
        return $client->getStatuses($step['queries'], $each, $this->options($step));
    }

    private function journal(array $step): mixed
    {
        $client = $this->clients[$step['client']];
        $options = $this->options($step);
        if ($step['do'] === 'settle') {
            [$entry, $note] = [$options['entry'], $options['note'] ?? null];
            unset($options['entry'], $options['note']);
            return $client->journalSettle($entry, $note, $options);
        }
        return match ($step['do']) {
            'list' => $client->journalList($options),
            'resolve' => $client->journalResolve($options),
            'prune' => $client->journalPrune($options),
        };
    }

    private function options(array $step): array
    {
        $options = $step['options'] ?? [];
        if (isset($step['cancellation'])) {
            $options['cancellation'] = $this->cancellations[$step['cancellation']];
        }
        return $options;
    }

    private static function order(array $step): Order|array
    {
        $constructor = new ReflectionMethod(Order::class, '__construct');
        $names = array_column($constructor->getParameters(), 'name');
        $order = $step['order'];
        $complete = array_diff($names, array_keys($order)) === []
            && array_diff(array_keys($order), $names) === []
            && array_filter($order, 'is_string') === $order;
        return $complete ? new Order(...$order) : $order;
    }

    private static function failure(PayorderException $error): array
    {
        try {
            throw $error;
        } catch (NotSentException) {
            $caught = 'not_sent';
        } catch (RejectedException) {
            $caught = 'rejected';
        } catch (OutcomeUnknownException) {
            $caught = 'unknown';
        } catch (UnusableTextException) {
            $caught = 'unusable';
        }
        $fields = array_map(self::report(...), get_object_vars($error));
        $class = (new ReflectionClass($error))->getShortName();
        return ['caught' => $caught, 'class' => $class, 'message' => $error->getMessage()] + $fields;
    }

    /** What a step gave, under the suite's names. */
    private static function report(mixed $value): mixed
    {
        if ($value instanceof PayorderException) {
            return self::failure($value);
        }
        if (is_array($value)) {
            return array_map(self::report(...), $value);
        }
        if (!is_object($value) || $value instanceof BackedEnum) {
            return $value; // JSON has the text of an enum
        }
        $left = match (get_class($value)) {
            JournalEntry::class => ['raw', 'startedAt', 'deadline', 'updatedAt', 'statusQuery'],
            Summary::class => ['raw', 'elapsedMs'],
            Sale::class => ['raw', 'statusQuery'],
            Status::class => [],
            default => ['raw'],
        };
        $fields = array_diff_key(get_object_vars($value), array_flip($left));
        $fields = array_map(self::report(...), $fields);
        if ($value instanceof Summary && $fields['transactionStatus'] === []) {
            $fields['transactionStatus'] = new stdClass();
        }
        return $fields;
    }
}

/** The classes that single results have. */
function classes(): array
{
    $names = array_flip((new ReflectionClass(\Payorder\Result::class))->getConstants());
    $classes = [];
    foreach (\Payorder\Table::ERROR_CLASSES as $result => $class) {
        $classes["PAYORDER_$names[$result]"] = (new ReflectionClass($class))->getShortName();
    }
    return $classes;
}

function write(array $line): void
{
    fwrite(STDOUT, json_encode($line, JSON_THROW_ON_ERROR | JSON_UNESCAPED_UNICODE) . "\n");
}

try {
    $version = Library::version();
} catch (NotSentException $refused) {
    write(['refused' => $refused->getMessage()]);
    exit(1);
}
write([
    'driver' => 'php',
    'language' => 'PHP ' . PHP_VERSION,
    'library' => $version,
    'abi' => \Payorder\Native::ABI_VERSION,
    'features' => FEATURES,
    'classes' => CLASSES + classes(),
]);
$driver = new Driver();
while (($line = fgets(STDIN)) !== false) {
    write($driver->run(json_decode($line, true, 512, JSON_THROW_ON_ERROR)));
}
