import static org.junit.jupiter.api.Assertions.*;

import org.junit.jupiter.api.Test;
import org.payorder.*;
import org.payorder.Constants.Actions;
import org.payorder.Constants.Outcome;

/** Each runs in its own process, with a library made from stub.c. */
final class StubTest {
    @Test
    void aLibraryThatCannotBeLoadedIsNotSent() {
        InvalidConfigException error =
                assertThrowsExactly(InvalidConfigException.class, () -> new PayorderClient("{}"));
        assertEquals(Outcome.NOT_SENT, error.getOutcome());
        // The loader's own words.
        assertTrue(error.getMessage().contains("file too short"), error.getMessage());
    }

    @Test
    void anAnswerThatCannotBeReadIsAnUnknownOutcome() {
        try (PayorderClient client = new PayorderClient("{}")) {
            InternalInFlightException error =
                    assertThrowsExactly(
                            InternalInFlightException.class,
                            () -> client.createOrder("{\"orderId\":\"O-1\"}", null));
            assertEquals(Outcome.UNKNOWN, error.getOutcome());
            assertEquals(Actions.ASK_STATUS, error.getAction());
            assertEquals(
                    "{\"searchType\":\"1\",\"orderId\":\"O-1\"}", error.getStatusQuery().toJson());
            String message = error.getMessage();
            assertTrue(message.contains("https://pay.example/only-copy"), message);
            // Nor can the order: there is no query.
            assertThrowsExactly(
                    InternalInFlightException.class, () -> client.createOrder("no JSON", null));
            // An error object that cannot be read: the number decides.
            assertThrowsExactly(
                    ConnectionLostException.class,
                    () -> client.getStatus(StatusQuery.byOrder("O-1")));
            theRangeOfAnUnknownNumberDecides(client.getJournal());
            assertEquals(0L, Payorder.getLiveStrings());
        }
    }

    private static void theRangeOfAnUnknownNumberDecides(Journal journal) {
        assertEquals(
                Outcome.NOT_SENT,
                assertThrowsExactly(InternalException.class, journal::list).getOutcome());
        assertEquals(
                Outcome.NOT_SENT,
                assertThrowsExactly(NotSentException.class, () -> journal.prune(null)).getOutcome());
        assertEquals(
                Outcome.REJECTED,
                assertThrowsExactly(RejectedException.class, () -> journal.settle(1, null)).getOutcome());
        assertEquals(
                Outcome.UNKNOWN,
                assertThrowsExactly(OutcomeUnknownException.class, () -> journal.resolve(null))
                        .getOutcome());
    }
}
