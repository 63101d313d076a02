package org.payorder;

import java.io.Serializable;
import org.payorder.Constants.Actions;
import org.payorder.Constants.Causes;
import org.payorder.Constants.Outcome;

/** What an exception is made from. */
final class ErrorFields implements Serializable {
    private static final long serialVersionUID = 1;

    final int result;
    final String raw;

    ErrorFields(int result, String raw) {
        this.result = result;
        this.raw = raw;
    }

    /** The error object; an empty one if the text cannot be read. */
    JsonValue json() {
        JsonValue error = null;
        try {
            error = raw == null ? null : JsonValue.parse(raw).get("error");
        } catch (IllegalArgumentException unreadable) {
            // The outcome follows from the number; the text stays in raw.
        }
        return error == null ? JsonValue.parse("{}") : error;
    }

    String name() {
        String name = json().textOf("name");
        return name == null ? resultName(result) : name;
    }

    String message() {
        String message = json().textOf("message");
        return (message == null ? "the library failed" : message) + " (" + name() + ")";
    }

    Outcome outcome() {
        return outcomeOf(result);
    }

    private static Outcome outcomeOf(int result) {
        return result >= 1 && result <= 99
                ? Outcome.NOT_SENT
                : result >= 100 && result <= 199 ? Outcome.REJECTED : Outcome.UNKNOWN;
    }

    /** The exception of a call: without memory the library has only a number for it. */
    PayorderException exception(StatusQuery query) {
        return json().getKeys().isEmpty()
                ? own(result, null, null, "the library gave no message", query, null)
                : exception(result, raw);
    }

    /** An exception in the form of the library's. A cause and an action that are null are usual. */
    static PayorderException own(
            int result,
            String cause,
            String action,
            String message,
            StatusQuery query,
            JsonValue previous) {
        JsonWriter error =
                new JsonWriter()
                        .add("result", result)
                        .add("cause", cause)
                        .add("action", action)
                        .add("message", message)
                        .add("statusQuery", query)
                        .add("previous", previous);
        return made(JsonValue.parse(error.toString()));
    }

    /** An exception from an error object. What it leaves out is usual for its result. */
    static PayorderException made(JsonValue error) {
        if (error == null) {
            throw new IllegalArgumentException("no key \"error\"");
        }
        if (error.numberOf("result") == null) {
            throw new IllegalArgumentException("the error has no result");
        }
        int number = error.countOf("result");
        Result result = Result.of(number);
        JsonWriter fields =
                new JsonWriter()
                        .add("result", number)
                        .add("name", resultName(number))
                        .add("outcome", outcomeOf(number))
                        .add("cause", result.cause)
                        .add("action", result.action);
        JsonValue previous = error.present("previous");
        if (previous != null) {
            String kind = previous.textOf("url") == null ? previous.textOf("state") : "url";
            String[] duplicate = Result.ofDuplicate(kind);
            fields.add("cause", duplicate[0]).add("action", duplicate[1]);
            fields.add("statusQuery", StatusQuery.byOrder(previous.textOf("orderId")));
        }
        error.getKeys().forEach(key -> fields.add(key, error.get(key)));
        return exception(number, new JsonWriter().add("error", fields).toString());
    }

    /** The exception of a client or a cancellation that is closed. */
    static PayorderException closed(int result, String cause) {
        String message = "it is closed; create another one";
        return own(result, cause, Actions.FIX_REQUEST, message, null, null);
    }

    /**
     * The exception of a call that ended, and whose answer cannot be read.
     *
     * @param answer of an order, for the message: it may have the only copy of a checkout URL
     * @param reason null if it is not known yet
     */
    static PayorderException unreadable(
            int result, String answer, StatusQuery query, Throwable reason) {
        int seen = result == 0 ? Result.INTERNAL_IN_FLIGHT.getNumber() : result;
        String action = query == null ? Actions.REPORT_BUG : Actions.ASK_STATUS;
        String message =
                "the call ended, but its answer cannot be read"
                        + (answer == null ? "" : ": " + answer);
        PayorderException error = own(seen, Causes.BUG, action, message, query, null);
        if (reason != null) {
            error.initCause(reason);
        }
        return error;
    }

    /** A result's name, also without a library. */
    private static String resultName(int result) {
        return "PAYORDER_" + Result.of(result);
    }

    /** The exception of a result. The range decides for an unknown number. */
    static PayorderException exception(int number, String raw) {
        ErrorFields error = new ErrorFields(number, raw);
        Result result = Result.of(number);
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
