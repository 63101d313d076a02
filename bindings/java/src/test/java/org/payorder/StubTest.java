package org.payorder;

import org.payorder.Constants.Actions;
import org.payorder.Constants.Outcome;

/** Each runs in its own process, with a library made from stub.c. */
final class StubTest {
    private StubTest() {}

    static void run(String name) {
        if (name.equals("missing")) {
            aLibraryThatCannotBeLoadedIsNotSent();
        } else if (name.equals("wrong-version")) {
            aLibraryWithAnotherVersionIsRefused();
        } else if (name.equals("unreadable-answer")) {
            anAnswerThatCannotBeReadIsAnUnknownOutcome();
        } else {
            throw new IllegalArgumentException(name);
        }
        System.out.println(name + ": passed");
    }

    private static void aLibraryThatCannotBeLoadedIsNotSent() {
        InvalidConfigException error =
                Check.fails(InvalidConfigException.class, () -> new PayorderClient("{}"));
        Check.equal(Outcome.NOT_SENT, error.getOutcome());
        // The loader's own words.
        Check.isTrue(error.getMessage().contains("file too short"), error.getMessage());
    }

    private static void aLibraryWithAnotherVersionIsRefused() {
        String message =
                Check.fails(InvalidConfigException.class, () -> new PayorderClient("{}"))
                        .getMessage();
        Check.isTrue(message.contains("has version 99 of the ABI"), message);
        Check.isTrue(message.contains("needs version 1"), message);
        Check.isTrue(message.contains(System.getenv("PAYORDER_LIBRARY")), message);
    }

    private static void anAnswerThatCannotBeReadIsAnUnknownOutcome() {
        try (PayorderClient client = new PayorderClient("{}")) {
            InternalInFlightException error =
                    Check.fails(
                            InternalInFlightException.class,
                            () -> client.createOrder("{\"orderId\":\"O-1\"}", null));
            Check.equal(Outcome.UNKNOWN, error.getOutcome());
            Check.equal(Actions.ASK_STATUS, error.getAction());
            Check.equal(
                    "{\"searchType\":\"1\",\"orderId\":\"O-1\"}", error.getStatusQuery().toJson());
            String message = error.getMessage();
            Check.isTrue(message.contains("https://pay.example/only-copy"), message);
            // An error object that cannot be read: the number decides.
            Check.fails(
                    ConnectionLostException.class,
                    () -> client.getStatus(StatusQuery.byOrder("O-1")));
            theRangeOfAnUnknownNumberDecides(client.getJournal());
            Check.equal(0L, Payorder.getLiveStrings());
        }
    }

    private static void theRangeOfAnUnknownNumberDecides(Journal journal) {
        Check.equal(
                Outcome.NOT_SENT,
                Check.fails(InternalException.class, journal::list).getOutcome());
        Check.equal(
                Outcome.NOT_SENT,
                Check.fails(NotSentException.class, () -> journal.prune(null)).getOutcome());
        Check.equal(
                Outcome.REJECTED,
                Check.fails(RejectedException.class, () -> journal.settle(1, null)).getOutcome());
        Check.equal(
                Outcome.UNKNOWN,
                Check.fails(OutcomeUnknownException.class, () -> journal.resolve(null))
                        .getOutcome());
    }
}
