<?php

declare(strict_types=1);

namespace Payorder;

/** Results and exceptions for the tests of a program, without a service. */
final class Testing
{
    public static function checkout(string $url): Checkout
    {
        return new Checkout(self::result(['data' => ['url' => $url]]));
    }

    /** @param array<string, string> $fields those of Status, and `date`; the others are empty */
    public static function status(array $fields): Status
    {
        $completed = ($fields['transactionStatus'] ?? '') === 'Completed';
        $derived = ['completed' => $completed, 'transactionDate' => $fields['date'] ?? null];
        return new Status(self::result(['data' => $fields, 'derived' => $derived]));
    }

    /**
     * @template T of PayorderException
     * @param class-string<T> $class
     * @param array<string, mixed> $more such as statusQuery
     * @return T
     */
    public static function exception(string $class, string $message, array $more = []): object
    {
        $result = (int) (array_search($class, ERROR_CLASSES, true) ?: Result::REJECTED);
        $json = PayorderException::json($result, '', Action::None, $message, $more);
        return new $class($result, $json);
    }

    /** @param array<string, mixed> $more */
    private static function result(array $more): string
    {
        $result = ['responseCode' => '200', 'responseMessage' => 'Success'] + $more;
        return json_encode($result, JSON_THROW_ON_ERROR);
    }
}
