<?php

declare(strict_types=1);

namespace Payorder;

/** A field that breaks a rule of the service's interface. */
final class Violation
{
    public function __construct(
        public readonly string $field,
        public readonly string $rule,
        public readonly string $message,
    ) {
    }
}

/**
 * The base class of all errors. Catch NotSentException, RejectedException and
 * OutcomeUnknownException; the functions of Payorder throw UnusableTextException.
 *
 * A property that does not apply to an error is null.
 */
abstract class PayorderException extends \RuntimeException
{
    /** The number of the result: see Result. */
    public readonly int $result;
    /** Its name, such as PAYORDER_TIMEOUT. */
    public readonly string $name;
    /** not_sent, rejected or unknown. */
    public readonly string $outcome;
    /** What exactly happened: see Cause. */
    public readonly string $cause;
    /** What to do next: see Action. */
    public readonly string $action;
    public readonly ?string $operation;
    public readonly ?int $attempts;
    public readonly ?int $elapsedMs;
    /** @var list<Violation> */
    public readonly array $violations;
    public readonly ?int $httpStatus;
    public readonly ?string $responseCode;
    public readonly ?string $responseMessage;
    public readonly ?int $retryAfterMs;
    /** A URL that came with an unclear response. */
    public readonly ?string $checkoutUrl;
    /** @var array<string, string>|null what to give to getStatus next */
    public readonly ?array $statusQuery;
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
        $this->result = $result;
        $this->name = $json->text('/error/name') ?? 'PAYORDER_UNRECOGNISED';
        $this->outcome = self::outcomeOf($result);
        $this->cause = $json->text('/error/cause') ?? '';
        $this->action = $json->text('/error/action') ?? '';
        $this->operation = $json->text('/error/operation');
        $this->attempts = $json->integer('/error/attempts');
        $this->elapsedMs = $json->integer('/error/elapsedMs');
        $this->violations = array_map(
            static fn (array $one): Violation =>
                new Violation($one['field'], $one['rule'], $one['message']),
            $json->value('/error/violations') ?? [],
        );
        $this->httpStatus = $json->integer('/error/httpStatus');
        $this->responseCode = $json->text('/error/responseCode');
        $this->responseMessage = $json->text('/error/responseMessage');
        $this->retryAfterMs = $json->integer('/error/retryAfterMs');
        $this->checkoutUrl = $json->text('/error/checkoutUrl');
        $this->statusQuery = $json->value('/error/statusQuery');
        $entry = $json->value('/error/previous');
        $this->previous = $entry === null ? null : new JournalEntry($entry);
        $status = $json->raw('/error/status');
        $this->status = $status === null ? null : new Status($status);
        $message = $json->text('/error/message') ?? 'the library gave no message';
        if ($this->outcome === Outcome::REJECTED && (string) $this->responseMessage !== '') {
            $message .= '; the service says: ' . self::oneLine((string) $this->responseMessage);
        }
        parent::__construct("$message ($this->name)", $result, $previous);
    }

    /** @internal */
    public static function from(int $result, string $raw, ?\Throwable $previous = null): self
    {
        $class = self::CLASSES[$result] ?? match (self::outcomeOf($result)) {
            Outcome::NOT_SENT => NotSentException::class,
            Outcome::REJECTED => RejectedException::class,
            default => OutcomeUnknownException::class,
        };
        return new $class($result, $raw, $previous);
    }

    /**
     * An error that this package found, in the form of the library's errors.
     *
     * @internal
     */
    public static function own(int $result, string $cause, string $action, string $message): self
    {
        $error = [
            'result' => $result,
            'name' => Library::ffi()->payorder_result_name($result),
            'outcome' => self::outcomeOf($result),
            'cause' => $cause,
            'action' => $action,
            'message' => $message,
        ];
        $flags = JSON_INVALID_UTF8_SUBSTITUTE | JSON_UNESCAPED_SLASHES;
        return self::from($result, (string) json_encode(['error' => $error], $flags));
    }

    private static function outcomeOf(int $result): string
    {
        return match (true) {
            $result >= 1 && $result <= 99 => Outcome::NOT_SENT,
            $result >= 100 && $result <= 199 => Outcome::REJECTED,
            default => Outcome::UNKNOWN,
        };
    }

    /** The service's text for a log: one line, not too long. */
    private static function oneLine(string $text): string
    {
        $line = (string) preg_replace('/[\p{C}\s]+/u', ' ', $text);
        return (string) preg_replace('/^(.{300}).+$/us', '$1...', $line);
    }

    private const CLASSES = [
        Result::INVALID_ARGUMENT => InvalidArgumentException::class,
        Result::INVALID_HANDLE => InvalidHandleException::class,
        Result::INVALID_CONFIG => InvalidConfigException::class,
        Result::INVALID_REQUEST => InvalidRequestException::class,
        Result::MISSING_CREDENTIALS => MissingCredentialsException::class,
        Result::CONNECT_FAILED => ConnectException::class,
        Result::TLS_FAILED => TlsException::class,
        Result::CANCELLED => CancelledException::class,
        Result::JOURNAL_FAILED => JournalException::class,
        Result::INTERNAL => InternalException::class,
        Result::UNAUTHORIZED => UnauthorizedException::class,
        Result::RATE_LIMITED => RateLimitedException::class,
        Result::TIMEOUT => TimeoutException::class,
        Result::CONNECTION_LOST => ConnectionLostException::class,
        Result::BAD_RESPONSE => BadResponseException::class,
        Result::SERVICE_FAILED => ServiceFailedException::class,
        Result::CANCELLED_IN_FLIGHT => CancelledInFlightException::class,
        Result::INTERNAL_IN_FLIGHT => InternalInFlightException::class,
        Result::DUPLICATE => DuplicateException::class,
    ];
}

/** Nothing was sent. Fix the problem and call again, unless you cancelled the call. */
class NotSentException extends PayorderException
{
}

/** The service refused the request. */
class RejectedException extends PayorderException
{
}

/** The order may exist: give statusQuery to getStatus before anything else. */
class OutcomeUnknownException extends PayorderException
{
}

/** An error of a function that uses no network. It says nothing about an order. */
final class UnusableTextException extends PayorderException
{
}

/** An argument cannot be used, or an option is unknown or invalid. */
final class InvalidArgumentException extends NotSentException
{
}

/** The client or the cancellation is closed. */
final class InvalidHandleException extends NotSentException
{
}

/** A setting is unknown, invalid or out of range, or its file cannot be used. */
final class InvalidConfigException extends NotSentException
{
}

/** The request breaks rules; violations lists all of them. */
final class InvalidRequestException extends NotSentException
{
}

/** Neither the configuration nor the options have the credentials for this call. */
final class MissingCredentialsException extends NotSentException
{
}

/** The name lookup, TCP or the proxy failed. */
final class ConnectException extends NotSentException
{
}

/** The certificate or the TLS handshake failed. */
final class TlsException extends NotSentException
{
}

/** Cancelled before anything was sent. */
final class CancelledException extends NotSentException
{
}

/** The journal cannot be used, so nothing was sent. */
final class JournalException extends NotSentException
{
}

/** A bug in the library, before anything was sent. */
final class InternalException extends NotSentException
{
}

/** The service does not accept the credentials. */
final class UnauthorizedException extends RejectedException
{
}

/** The service limits how often it may be called: see retryAfterMs. */
final class RateLimitedException extends RejectedException
{
}

/** No complete response arrived in time. */
final class TimeoutException extends OutcomeUnknownException
{
}

/** The connection broke after something was sent. */
final class ConnectionLostException extends OutcomeUnknownException
{
}

/** The response cannot be used. */
final class BadResponseException extends OutcomeUnknownException
{
}

/** The service reported a failure. */
final class ServiceFailedException extends OutcomeUnknownException
{
}

/** Cancelled after something was sent. */
final class CancelledInFlightException extends OutcomeUnknownException
{
}

/** A bug in the library, after something was sent. */
final class InternalInFlightException extends OutcomeUnknownException
{
}

/** The journal has this order already: see previous. This call sent nothing. */
final class DuplicateException extends OutcomeUnknownException
{
}

/**
 * The program's own exception, of a signal handler, was thrown when createOrder had its response.
 * The order was created: send the customer to checkout->url. getPrevious() is that exception.
 *
 * It is not a PayorderException, because the call did not fail.
 */
final class OrderInterruptedException extends \RuntimeException
{
    /** @internal */
    public function __construct(public readonly Checkout $checkout, \Throwable $stop)
    {
        $url = $checkout->url;
        parent::__construct("interrupted, but the order was created: $url", 0, $stop);
    }
}

/** No shared library was found, or it has another version of the ABI. Nothing was sent. */
final class LibraryException extends \RuntimeException
{
}
