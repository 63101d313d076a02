package org.payorder;

import org.payorder.Constants.Actions;
import org.payorder.Constants.Causes;
import org.payorder.Constants.Outcome;

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
        return outcomeOf(result);
    }

    private static Outcome outcomeOf(int result) {
        return result >= 1 && result <= 99
                ? Outcome.NOT_SENT
                : result >= 100 && result <= 199 ? Outcome.REJECTED : Outcome.UNKNOWN;
    }

    /** The exception of a result. The range decides for an unknown number. */
    static PayorderException exception(int result, String raw) {
        return exception(new ErrorFields(result, raw, null));
    }

    /** An exception in the form of the library's. */
    static PayorderException own(
            int result,
            String cause,
            String action,
            String message,
            StatusQuery query,
            Throwable reason) {
        JsonWriter error =
                new JsonWriter()
                        .add("result", result)
                        .add("cause", cause)
                        .add("action", action)
                        .add("message", message)
                        .add("statusQuery", query);
        return made(JsonValue.parse(error.toString()), reason);
    }

    /** An exception from an error object. What it leaves out is usual for its result. */
    static PayorderException made(JsonValue error) {
        return made(error, null);
    }

    private static PayorderException made(JsonValue error, Throwable reason) {
        if (error == null) {
            throw new IllegalArgumentException("no key \"error\"");
        }
        if (error.numberOf("result") == null) {
            throw new IllegalArgumentException("the error has no result");
        }
        int number = error.countOf("result");
        Result result = Result.of(number);
        Settings<?> fields =
                new Settings.Plain()
                        .set("result", number)
                        .set("name", resultName(number))
                        .set("outcome", outcomeOf(number))
                        .set("cause", result.cause)
                        .set("action", result.action);
        JsonValue previous = error.present("previous");
        if (previous != null) {
            String kind = previous.textOf("url") == null ? previous.textOf("state") : "url";
            String[] duplicate = Result.ofDuplicate(kind);
            fields.set("cause", duplicate[0]).set("action", duplicate[1]);
            fields.set("statusQuery", StatusQuery.byOrder(previous.textOf("orderId")));
        }
        error.getKeys().forEach(key -> fields.set(key, error.get(key)));
        String raw = new JsonWriter().add("error", fields).toString();
        return exception(new ErrorFields(number, raw, reason));
    }

    /** The exception of a client or a cancellation that is closed. */
    static PayorderException closed(int result, String cause) {
        String message = "it is closed; create another one";
        return own(result, cause, Actions.FIX_REQUEST, message, null, null);
    }

    /**
     * The exception of a call that ended, and whose answer cannot be read. The answer is in the
     * message, because it may have the only copy of a checkout URL.
     */
    static PayorderException unreadable(
            int result, String answer, StatusQuery query, Throwable reason) {
        int seen = result == 0 ? Result.INTERNAL_IN_FLIGHT.getNumber() : result;
        String action = query == null ? Actions.REPORT_BUG : Actions.ASK_STATUS;
        String message = "the call ended, but its answer cannot be read: " + answer;
        return own(seen, Causes.BUG, action, message, query, reason);
    }

    /** A result's name, also without a library. */
    private static String resultName(int result) {
        return "PAYORDER_" + Result.of(result);
    }

    private static PayorderException exception(ErrorFields error) {
        Result result = Result.of(error.result);
        if (result.exception != null) {
            return result.exception.apply(error);
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
