<?php

declare(strict_types=1);

namespace Payorder;

/** The end of Client::journalResolve. */
final class Resolved
{
    public readonly Summary $summary;
    /** @var list<JournalEntry> those that are still unresolved */
    public readonly array $entries;

    /** @internal */
    public function __construct(public readonly string $raw)
    {
        $json = new Json($raw);
        $this->summary = new Summary($json->raw('/summary') ?? '{}');
        $this->entries = array_map(
            static fn (array $one): JournalEntry => new JournalEntry($one),
            $json->value('/entries') ?? [],
        );
    }
}
