import java.time.Duration;
import org.payorder.*;

/**
 * A till with a journal, which finds after a crash what it was doing.
 *
 * <p>Restart JOURNAL ORDER_ID sells; the sandbox does not answer, so end it with kill -9. Restart
 * JOURNAL starts again, and asks for the orders that are open.
 */
final class Restart {
    private Restart() {}

    public static void main(String[] arguments) {
        ClientConfig config = new ClientConfig(null).journal(arguments[0]).timeout(Duration.ofSeconds(5));
        try (PayorderClient client = PayorderClient.fromEnv(config)) {
            ask(client);
            if (arguments.length > 1) {
                System.out.println("sending " + arguments[1]);
                try {
                    client.createOrder(Till.order(arguments[1], "Two coffees sandbox:stall"));
                } catch (OutcomeUnknownException error) {
                    // Also if the journal has this order from an earlier run.
                    System.out.println("the order may exist: " + error.getMessage());
                }
            }
        }
    }

    /** What a till does when it starts, before the first sale. */
    private static void ask(PayorderClient client) {
        // The time limit of an order that a killed program was sending must pass first.
        RecoverOptions options = new RecoverOptions().waitFor(Duration.ofSeconds(10));
        for (Recovered.Sale sale : client.recover(null, options).getSales()) {
            System.out.println(
                    sale.getOrderId()
                            + ": "
                            + sale.getVerdict().name().toLowerCase()
                            + ", "
                            + sale.getTransactionStatus());
        }
    }
}
