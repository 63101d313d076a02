package org.payorder;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.payorder.Constants.Causes;
import org.payorder.Constants.Outcome;

/**
 * The base class of all errors. Catch {@link NotSentException}, {@link RejectedException} and
 * {@link OutcomeUnknownException}. What does not apply to an error is null, or an empty list.
 *
 * <p>If a program interrupted the call's thread, or cancelled the call with its future or a {@link
 * Cancellation}, {@link #getCause} is an {@link InterruptedException} or a {@link
 * java.util.concurrent.CancellationException}. After {@link PayorderClient#cancel} and {@link
 * PayorderClient#stop} it is null.
 *
 * <p>It is unchecked, so that calls can be used in lambdas, in CompletableFuture and in Kotlin, and
 * nobody is led to write an empty catch block to satisfy the compiler.
 */
public class PayorderException extends PayorderExceptionKeys {
    private static final long serialVersionUID = 1;

    private final ErrorFields error;

    PayorderException(ErrorFields error) {
        super(error.message());
        this.error = error;
    }

    /** For tests without a service: an exception as a call throws it, without a query. */
    public static PayorderException of(Result result, String message) {
        return of(result, message, null, null);
    }

    /**
     * For tests without a service: an exception as a call throws it. Its cause and its action are
     * usual ones of the result.
     *
     * @param query what to ask next: every unknown outcome of createOrder has one
     * @param previous the journal's entry, for {@link Result#DUPLICATE}
     */
    public static PayorderException of(
            Result result,
            String message,
            @Nullable StatusQuery query,
            @Nullable JournalEntry previous) {
        JsonValue entry = previous == null ? null : JsonValue.parse(previous.getRaw());
        return ErrorFields.own(result.getNumber(), null, null, message, query, entry);
    }

    /**
     * For tests without a service: from an object like {@link #getRaw}. Its {@code error} has at
     * least {@code result}. What it leaves out has a usual value for the result.
     *
     * @throws IllegalArgumentException if it cannot be read
     */
    public static PayorderException fromJson(String json) {
        return ErrorFields.made(JsonValue.parse(json).get("error"));
    }

    /** How the call ended. */
    public Result getResult() {
        return Result.of(error.result);
    }

    /** The number of the result, also of one that {@link Result} does not have. */
    public int getResultNumber() {
        return error.result;
    }

    /** The result's name, such as PAYORDER_TIMEOUT. */
    public String getName() {
        return error.name();
    }

    /** What happened to the request. */
    public Outcome getOutcome() {
        return error.outcome();
    }

    /** What exactly happened: one of {@link Constants.Causes}. */
    public @Nullable String getErrorCause() {
        return fields().textOf("cause");
    }

    /** What to do next: one of {@link Constants.Actions}. */
    public @Nullable String getAction() {
        return fields().textOf("action");
    }

    /** The fields that break a rule. */
    public List<Violation> getViolations() {
        return fields().listIfAny("violations", Violation::new);
    }

    /** What to ask next: in every unknown outcome of createOrder, and of every failed wait. */
    public @Nullable StatusQuery getStatusQuery() {
        JsonValue query = fields().present("statusQuery");
        boolean isObject = query != null && query.getKind() == JsonValue.Kind.OBJECT;
        return isObject ? StatusQuery.fromJson(query.getRaw()) : null;
    }

    /** The journal's entry, in a {@link DuplicateException}. */
    public @Nullable JournalEntry getPrevious() {
        return fields().partOf("previous", JournalEntry::new);
    }

    /** The last status that a failed wait saw. */
    public @Nullable Status getStatus() {
        return fields().partOf("status", Status::new);
    }

    /** The complete error object as JSON text. */
    public @Nullable String getRaw() {
        return error.raw;
    }

    @Override
    JsonValue fields() {
        return error.json();
    }
}
