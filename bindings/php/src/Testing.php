<?php

declare(strict_types=1);

namespace Payorder;

/** Results and exceptions for the tests of a program, without a service. */
final class Testing
{
    private const ENTRY = ['entry' => 1, 'state' => 'unknown'];

    public static function checkout(string $url): Checkout
    {
        return new Checkout(self::result(['data' => ['url' => $url]]));
    }

    /**
     * @param array<string, string> $fields those of Status, with the date in one form or in both;
     *     the others are empty
     */
    public static function status(array $fields): Status
    {
        $completed = ($fields['transactionStatus'] ?? '') === 'Completed';
        $form = 'm/d/Y h:i:s A'; // the service's, which verifyPayment() reads
        $date = $fields['date'] ?? null;
        unset($fields['date']);
        if ($date === null) {
            $sent = \DateTimeImmutable::createFromFormat($form, $fields['transactionDate'] ?? '');
            $date = $sent ? $sent->format('Y-m-d\TH:i:s') : null;
        } else {
            $given = new \DateTimeImmutable($date, new \DateTimeZone('UTC'));
            $fields['transactionDate'] ??= $given->format($form);
        }
        $derived = ['completed' => $completed, 'transactionDate' => $date];
        return new Status(self::result(['data' => $fields, 'derived' => $derived]));
    }

    /**
     * The end of a wait. Without a $final status the time ran out.
     *
     * @param Status|null $status the last one seen
     * @param PayorderException|null $error of the last query
     * @param bool|null $final by default whether the status is "Completed"
     */
    public static function waited(
        ?Status $status,
        ?PayorderException $error = null,
        ?bool $final = null,
    ): Waited {
        $final = json_encode($final ?? $status?->completed ?? false);
        $timedOut = json_encode($final === 'false');
        $status = $status?->raw ?? 'null';
        $error = $error === null ? 'null' : Json::get($error->raw, '/error');
        return new Waited("{\"final\":$final,\"timedOut\":$timedOut,\"polls\":1,"
            . "\"status\":$status,\"error\":$error}");
    }

    /** @param array<string, mixed> $fields those of JournalEntry; the others are empty */
    public static function journalEntry(array $fields): JournalEntry
    {
        return new JournalEntry(Json::of($fields + self::ENTRY));
    }

    /**
     * An exception with the cause and the action that its class usually has, and with a statusQuery
     * if the order may exist.
     *
     * @template T of PayorderException
     * @param class-string<T> $class
     * @param array<string, mixed> $more such as statusQuery, previous: fields of JournalEntry, or
     *     status: a Status or its fields
     * @return T
     */
    public static function exception(string $class, string $message, array $more = []): object
    {
        $result = match ($class) {
            NotSentException::class, LibraryException::class => Result::INVALID_CONFIG,
            RejectedException::class => Result::REJECTED,
            OutcomeUnknownException::class => Result::TIMEOUT,
            default => array_search($class, Table::ERROR_CLASSES, true) ?: Result::INVALID_REQUEST,
        };
        [$cause, $action] = Table::USUAL_CAUSES[$result];
        if (isset($more['previous'])) {
            $more['previous'] += self::ENTRY;
            ['state' => $state] = $more['previous'];
            $key = isset($more['previous']['url']) ? 'url' : $state;
            [$cause, $action] = Table::USUAL_CAUSES[$key] ?? [$cause, $action];
        }
        if (is_a($class, OutcomeUnknownException::class, true)) {
            $orderId = $more['previous']['orderId'] ?? 'ORD-1';
            $more += ['statusQuery' => ['searchType' => '1', 'orderId' => $orderId]];
        }
        if (isset($more['status'])) {
            $status = is_array($more['status']) ? self::status($more['status']) : $more['status'];
            $more['status'] = json_decode($status->raw);
        }
        $raw = PayorderException::json($result, $cause, $action, $message, $more);
        return new $class($result, $raw);
    }

    /** @param array<string, mixed> $more */
    private static function result(array $more): string
    {
        $result = ['responseCode' => '200', 'responseMessage' => 'Success'] + $more;
        return json_encode($result, JSON_THROW_ON_ERROR);
    }
}
