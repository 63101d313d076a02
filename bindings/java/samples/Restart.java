import org.payorder.Journal;
import org.payorder.JournalEntry;
import org.payorder.ListOptions;
import org.payorder.PayorderClient;
import org.payorder.Resolved;
import org.payorder.Summary;

/**
 * A till with a journal, which finds after a crash what it was doing.
 *
 * <p>Restart JOURNAL ORDER_ID sells; the sandbox does not answer, so end it with kill -9. Restart
 * JOURNAL starts again, and asks for the orders that are open.
 */
final class Restart {
    private Restart() {}

    public static void main(String[] arguments) {
        try (PayorderClient client = new PayorderClient(Till.config().journal(arguments[0]))) {
            ask(client.getJournal());
            if (arguments.length > 1) {
                System.out.println("sending " + arguments[1]);
                client.createOrder(Till.order(arguments[1], "Two coffees sandbox:stall"));
            }
        }
    }

    /** What a till does when it starts, before the first sale. */
    private static void ask(Journal journal) {
        for (JournalEntry entry : journal.list(new ListOptions().state("unresolved"))) {
            System.out.println("unresolved: " + entry.getOrderId());
        }
        Resolved resolved = journal.resolve(null);
        Summary summary = resolved.getSummary();
        System.out.println(
                "asked about " + summary.getAsked() + ", the service knows " + summary.getOk());
        for (JournalEntry entry : resolved.getEntries()) {
            System.out.println("ask again later: " + entry.getOrderId());
        }
        for (JournalEntry entry : journal.list(new ListOptions().state("created"))) {
            // The journal remembers it, so it is not sent twice.
            System.out.println(
                    "exists: " + entry.getOrderId() + ", " + entry.getTransactionStatus());
        }
    }
}
