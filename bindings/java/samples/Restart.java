import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import org.payorder.*;

/**
 * A till with a journal, which finds after a crash what it was doing.
 *
 * <p>Restart JOURNAL ORDER_ID: end it with kill -9 while it waits for the service, and start it
 * again. It does not send the order a second time.
 */
final class Restart {
    private Restart() {}

    public static void main(String[] arguments) {
        ClientConfig config = new ClientConfig(null).journal(arguments[0]).timeout(Duration.ofSeconds(5));
        try (PayorderClient client = PayorderClient.fromEnv(config)) {
            Order order = Till.order(arguments[1]);
            switch (ask(client, order)) {
                case NOT_IN_JOURNAL: // only if this journal was not restored, replaced or pruned
                case NOT_SENT:
                case REFUSED:
                    break;
                default:
                    return; // the order may exist
            }
            try {
                System.out.println("send the customer to " + client.createOrder(order).getUrl());
            } catch (OutcomeUnknownException error) {
                // Also a DuplicateException: another program has sent it meanwhile.
                System.out.println("the order may exist: " + error.getAction() + ", " + error.getMessage());
                JournalEntry previous = error.getPrevious();
                String page = previous == null ? error.getCheckoutUrl() : previous.getUrl();
                // What a person must look at may be the page of another sale.
                if (page != null && !Constants.Actions.ASK_PERSON.equals(error.getAction())) {
                    System.out.println("if it is not paid, the page is " + page);
                }
            }
        }
    }

    /**
     * What a till does when it starts: it asks for the open orders of the journal, and for the sales
     * that its own records do not call finished. Returns the verdict of this sale, which is the first.
     */
    private static Recovered.Verdict ask(PayorderClient client, Order order) {
        ExpectedPayment open = new ExpectedPayment(order.getOrderId(), order.getAmount());
        // The time limit of an order that a killed program was sending must pass first.
        RecoverOptions options = new RecoverOptions().waitFor(Duration.ofSeconds(10));
        List<Recovered.Sale> sales =
                client.recover(Collections.singletonList(open), options).getSales();
        for (Recovered.Sale sale : sales) {
            System.out.println(
                    sale.getOrderId()
                            + ": "
                            + sale.getVerdict().name().toLowerCase(Locale.ROOT)
                            + ", "
                            + sale.getTransactionStatus());
            if (sale.getVerdict() == Recovered.Verdict.PAYABLE) {
                System.out.println("the customer pays at " + sale.getUrl());
            }
        }
        return sales.get(0).getVerdict();
    }
}
