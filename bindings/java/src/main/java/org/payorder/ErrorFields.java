package org.payorder;

import java.util.Locale;
import org.payorder.Constants.Actions;
import org.payorder.Constants.Causes;
import org.payorder.Constants.Outcome;
import org.payorder.Constants.Results;

/** What an exception is made from. */
final class ErrorFields {
    final int result;
    final String raw;

    /** The error object; null if the text cannot be read. */
    final JsonValue json;

    final Throwable reason;

    ErrorFields(int result, String raw, Throwable reason) {
        this.result = result;
        this.raw = raw;
        this.reason = reason;
        JsonValue read = null;
        try {
            read = raw == null ? null : JsonValue.parse(raw).get("error");
        } catch (IllegalArgumentException unreadable) {
            // The outcome follows from the number; the text stays in raw.
        }
        json = read;
    }

    String name() {
        String name = json == null ? null : json.textOf("name");
        return name == null ? resultName(result) : name;
    }

    String message() {
        String message = json == null ? null : json.textOf("message");
        return message == null ? "the library failed" : message;
    }

    Outcome outcome() {
        return result >= 1 && result <= 99
                ? Outcome.NOT_SENT
                : result >= 100 && result <= 199 ? Outcome.REJECTED : Outcome.UNKNOWN;
    }

    private String outcomeName() {
        return outcome().name().toLowerCase(Locale.ROOT);
    }

    /** The exception of a result. The range decides for an unknown number. */
    static PayorderException exception(int result, String raw) {
        return exception(new ErrorFields(result, raw, null));
    }

    /** The exception of a client or a cancellation that is closed. */
    static PayorderException closed(int result, String cause) {
        String error =
                new JsonWriter()
                        .add("result", (Object) result)
                        .add("name", resultName(result))
                        .add("outcome", "not_sent")
                        .add("cause", cause)
                        .add("action", Actions.FIX_REQUEST)
                        .add("message", "it is closed; create another one")
                        .toString();
        return exception(result, new JsonWriter().addJson("error", error).toString());
    }

    /**
     * The exception of a call that ended, and whose answer cannot be read. The answer is in the
     * message, because it may have the only copy of a checkout URL.
     */
    static PayorderException unreadable(
            int result, String answer, StatusQuery query, Throwable reason) {
        int seen = result == 0 ? Results.INTERNAL_IN_FLIGHT : result;
        String error =
                new JsonWriter()
                        .add("result", (Object) seen)
                        .add("name", resultName(seen))
                        .add("outcome", new ErrorFields(seen, null, null).outcomeName())
                        .add("cause", Causes.BUG)
                        .add("action", query == null ? Actions.REPORT_BUG : Actions.ASK_STATUS)
                        .add("message", "the call ended, but its answer cannot be read: " + answer)
                        .addJson("statusQuery", query == null ? null : query.toJson())
                        .toString();
        String raw = new JsonWriter().addJson("error", error).toString();
        return exception(new ErrorFields(seen, raw, reason));
    }

    private static String resultName(int result) {
        return Utf8.text(LibraryFinder.library().payorder_result_name(result));
    }

    private static PayorderException exception(ErrorFields error) {
        switch (error.result) {
            case Results.INVALID_ARGUMENT:
                return new InvalidArgumentException(error);
            case Results.INVALID_HANDLE:
                return new InvalidHandleException(error);
            case Results.INVALID_CONFIG:
                return new InvalidConfigException(error);
            case Results.INVALID_REQUEST:
                return new InvalidRequestException(error);
            case Results.MISSING_CREDENTIALS:
                return new MissingCredentialsException(error);
            case Results.CONNECT_FAILED:
                return new ConnectFailedException(error);
            case Results.TLS_FAILED:
                return new TlsException(error);
            case Results.CANCELLED:
                return new CancelledException(error);
            case Results.JOURNAL_FAILED:
                return new JournalException(error);
            case Results.INTERNAL:
                return new InternalException(error);
            case Results.UNAUTHORIZED:
                return new UnauthorizedException(error);
            case Results.RATE_LIMITED:
                return new RateLimitedException(error);
            case Results.TIMEOUT:
                return new ResponseTimeoutException(error);
            case Results.CONNECTION_LOST:
                return new ConnectionLostException(error);
            case Results.BAD_RESPONSE:
                return new BadResponseException(error);
            case Results.SERVICE_FAILED:
                return new ServiceFailedException(error);
            case Results.CANCELLED_IN_FLIGHT:
                return new CancelledInFlightException(error);
            case Results.INTERNAL_IN_FLIGHT:
                return new InternalInFlightException(error);
            case Results.DUPLICATE:
                return new DuplicateException(error);
            default:
                break;
        }
        switch (error.outcome()) {
            case NOT_SENT:
                return new NotSentException(error);
            case REJECTED:
                return new RejectedException(error);
            default:
                return new OutcomeUnknownException(error);
        }
    }
}
