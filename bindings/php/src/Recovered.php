<?php

declare(strict_types=1);

namespace Payorder;

/** The end of Client::recover. */
final class Recovered
{
    /** Counts the queries. */
    public readonly Summary $summary;
    /** How many open entries of the journal belong to another baseUrl. */
    public readonly int $otherServices;
    /** @var list<Sale> first those that were given, in their order */
    public readonly array $sales;

    /** @internal */
    public function __construct(public readonly string $raw)
    {
        $json = new Json($raw);
        $this->summary = new Summary($json->raw('/summary') ?? '{}');
        $this->otherServices = $json->integer('/otherServices') ?? 0;
        $this->sales = array_map(
            static fn (array $one): Sale => new Sale($one),
            $json->value('/sales') ?? [],
        );
    }
}
