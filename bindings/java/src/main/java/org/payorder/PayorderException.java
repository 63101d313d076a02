package org.payorder;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.payorder.Constants.Outcome;

/**
 * The base class of all errors. Catch {@link NotSentException}, {@link RejectedException} and
 * {@link OutcomeUnknownException}. What does not apply to an error is null, or an empty list.
 *
 * <p>It is unchecked, so that calls can be used in lambdas, in CompletableFuture and in Kotlin, and
 * nobody is led to write an empty catch block to satisfy the compiler.
 */
public class PayorderException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final int result;
    private final String name;
    private final Outcome outcome;
    private final String raw;
    private final transient JsonValue json;

    PayorderException(ErrorFields error) {
        super(error.message() + " (" + error.name() + ")", error.reason);
        result = error.result;
        name = error.name();
        outcome = error.outcome();
        raw = error.raw;
        json = error.json;
    }

    /** The result: one of {@link Constants.Results}. A later library may have more. */
    public int getResult() {
        return result;
    }

    /** The result's name, such as PAYORDER_TIMEOUT. */
    public String getName() {
        return name;
    }

    /** What happened to the request. */
    public Outcome getOutcome() {
        return outcome;
    }

    /** What exactly happened: one of {@link Constants.Causes}. */
    public String getErrorCause() {
        return text("cause");
    }

    /** What to do next: one of {@link Constants.Actions}. */
    public String getAction() {
        return text("action");
    }

    /** The call, such as create_order. */
    public String getOperation() {
        return text("operation");
    }

    /** How many attempts the call made. */
    public Integer getAttempts() {
        return number("attempts") == null ? null : number("attempts").intValue();
    }

    /** The duration of the call. */
    public Long getElapsedMs() {
        return number("elapsedMs");
    }

    /** The fields that break a rule. */
    public List<Violation> getViolations() {
        List<Violation> violations = new ArrayList<>();
        JsonValue list = fields().get("violations");
        if (list != null) {
            for (JsonValue one : list.getItems()) {
                violations.add(new Violation(one));
            }
        }
        return Collections.unmodifiableList(violations);
    }

    /** The HTTP status of the response. */
    public Integer getHttpStatus() {
        return number("httpStatus") == null ? null : number("httpStatus").intValue();
    }

    /** The service's own code. */
    public String getResponseCode() {
        return text("responseCode");
    }

    /** The service's own text. */
    public String getResponseMessage() {
        return text("responseMessage");
    }

    /** The URL of a response that is not clear: the order may exist. */
    public String getCheckoutUrl() {
        return text("checkoutUrl");
    }

    /** How long to wait, as the service asked. */
    public Long getRetryAfterMs() {
        return number("retryAfterMs");
    }

    /** What to ask next: in every unknown outcome of createOrder. */
    public StatusQuery getStatusQuery() {
        String query = fields().rawOf("statusQuery");
        return query == null ? null : StatusQuery.fromJson(query);
    }

    /** The journal's entry, in a {@link DuplicateException}. */
    public JournalEntry getPrevious() {
        JsonValue previous = fields().get("previous");
        return previous == null ? null : new JournalEntry(previous);
    }

    /** The last status that a failed wait saw. */
    public Status getStatus() {
        String status = fields().rawOf("status");
        return status == null ? null : new Status(status);
    }

    /** The complete error object as JSON text. */
    public String getRaw() {
        return raw;
    }

    private String text(String key) {
        return fields().textOf(key);
    }

    private Long number(String key) {
        return fields().numberOf(key);
    }

    /** The error object; an empty one if the library's text cannot be read. */
    private JsonValue fields() {
        // Read again after deserialization, which leaves it null.
        JsonValue read = json == null ? new ErrorFields(result, raw, null).json : json;
        return read == null ? JsonValue.parse("{}") : read;
    }
}
