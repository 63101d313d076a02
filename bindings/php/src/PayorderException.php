<?php

declare(strict_types=1);

namespace Payorder;

/**
 * The base class of all errors. Catch NotSentException, RejectedException and
 * OutcomeUnknownException; the functions of Library throw UnusableTextException.
 *
 * A property that does not apply to an error is null.
 */
abstract class PayorderException extends \RuntimeException implements \JsonSerializable
{
    use ErrorFields;
    use Shown;

    /** The number of the result: see Result. */
    public readonly int $result;
    /** Its name, such as PAYORDER_TIMEOUT. */
    public readonly string $name;
    public readonly Outcome $outcome;
    /** What exactly happened: see Cause. */
    public readonly string $cause;
    /** What to do next. */
    public readonly Action $action;
    /** @var list<Violation> */
    public readonly array $violations;
    /** @var array<string, string>|null what to give to getStatus next */
    public readonly ?array $statusQuery;
    /** @internal What a failed getStatus asked. */
    public ?string $asked = null;
    /** With DuplicateException: the journal's entry. */
    public readonly ?JournalEntry $previous;
    /** The last status that a failed waitForPayment saw. */
    public readonly ?Status $status;
    /** The library's complete error object. */
    public readonly string $raw;

    final public function __construct(int $result, string $raw, ?\Throwable $previous = null)
    {
        $json = new Json($raw);
        $this->raw = $raw;
        $this->read($json);
        $this->result = $result;
        $this->name = $json->text('/error/name') ?? 'PAYORDER_UNRECOGNISED';
        $this->outcome = self::outcomeOf($result);
        $this->cause = $json->text('/error/cause') ?? '';
        // A newer library may have another action.
        $this->action = Action::tryFrom($json->text('/error/action') ?? '')
            ?? ($this->outcome === Outcome::Unknown ? Action::AskStatus : Action::None);
        $violations = array_filter((array) $json->value('/error/violations'), 'is_array');
        $text = static fn (mixed $value): string => is_scalar($value) ? (string) $value : '';
        $this->violations = array_map(static fn (array $one): Violation => new Violation(
            $text($one['field'] ?? ''),
            $text($one['rule'] ?? ''),
            $text($one['message'] ?? ''),
        ), array_values($violations));
        $this->statusQuery = $json->value('/error/statusQuery');
        $entry = $json->value('/error/previous');
        $this->previous = $entry === null ? null : new JournalEntry(Json::of($entry));
        // Not every error comes from a library that is loaded.
        $status = $json->value('/error/status') === null ? null : $json->raw('/error/status');
        $this->status = $status === null ? null : new Status($status);
        $message = $json->text('/error/message') ?? 'the library gave no message';
        parent::__construct($message, $result, $previous);
    }

    /** @internal */
    public static function from(
        int $result,
        #[\SensitiveParameter] string $raw,
        ?\Throwable $previous = null,
    ): self {
        $class = Table::ERROR_CLASSES[$result] ?? match (self::outcomeOf($result)) {
            Outcome::NotSent => NotSentException::class,
            Outcome::Rejected => RejectedException::class,
            default => OutcomeUnknownException::class,
        };
        return new $class($result, $raw, $previous);
    }

    /**
     * The error object of an error that this package found.
     *
     * @internal
     */
    public static function json(
        int $result,
        string $cause,
        Action $action,
        string $message,
        array $more = [],
    ): string {
        $names = (new \ReflectionClass(Result::class))->getConstants();
        $error = $more + [
            'result' => $result,
            'name' => 'PAYORDER_' . array_search($result, $names, true),
            'outcome' => self::outcomeOf($result),
            'cause' => $cause,
            'action' => $action,
            'message' => $message,
        ];
        $flags = JSON_INVALID_UTF8_SUBSTITUTE | JSON_UNESCAPED_SLASHES;
        return (string) json_encode(['error' => $error], $flags);
    }

    /** @internal An error that this package found. */
    public static function own(int $result, string $cause, Action $action, string $message): self
    {
        return self::from($result, self::json($result, $cause, $action, $message));
    }

    private function shown(): array
    {
        return ['name' => $this->name, 'outcome' => $this->outcome->value,
            'cause' => $this->cause, 'action' => $this->action->value,
            'message' => $this->getMessage(), 'statusQuery' => $this->statusQuery];
    }

    private static function outcomeOf(int $result): Outcome
    {
        return match (true) {
            $result >= 1 && $result <= 99 => Outcome::NotSent,
            $result >= 100 && $result <= 199 => Outcome::Rejected,
            default => Outcome::Unknown,
        };
    }
}
