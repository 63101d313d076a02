import java.time.Duration;
import java.time.Instant;
import org.payorder.*;

/** A sale, from the order to the verified payment: Sale ORDER_ID. */
final class Sale {
    private Sale() {}

    public static void main(String[] arguments) {
        try (PayorderClient client = PayorderClient.fromEnv()) {
            System.exit(sell(client, Till.order(arguments[0])));
        }
    }

    private static int sell(PayorderClient client, Order order) {
        Instant began = Instant.now();
        Checkout checkout;
        try {
            checkout = client.createOrder(order);
        } catch (NotSentException error) {
            System.out.println("this call sent nothing, try again: " + error.getMessage());
            return 1;
        } catch (RejectedException error) {
            System.out.println("the service refused: " + error.getMessage());
            return 2;
        } catch (OutcomeUnknownException error) {
            System.out.println("the order may exist: " + error.getAction() + ", " + error.getMessage());
            ask(client, error.getStatusQuery());
            JournalEntry previous = error.getPrevious();
            String page = previous == null ? error.getCheckoutUrl() : previous.getUrl();
            // What a person must look at may be the page of another sale.
            if (page != null && !Constants.Actions.ASK_PERSON.equals(error.getAction())) {
                System.out.println("if it is not paid, the page is " + page);
            }
            return 3;
        }
        System.out.println("send the customer to " + checkout.getUrl());

        Waited waited;
        try {
            waited =
                    client.waitForPayment(
                            order.getOrderId(),
                            new WaitOptions()
                                    .waitFor(Duration.ofMinutes(5))
                                    .interval(Duration.ofMillis(500)));
        } catch (PayorderException error) {
            // The order was created: an error of the wait leaves it open.
            System.out.println("open, ask for its status later: " + error.getMessage());
            return 3;
        }
        if (waited.getStatus() == null) {
            System.out.println("no status was seen: " + waited.getError().getMessage());
            return 3;
        }
        ExpectedPayment expected =
                new ExpectedPayment(order.getOrderId(), order.getAmount()).notBefore(began);
        Verification verification = Payorder.verifyPayment(expected, waited.getStatus());
        if (verification.isPaid()) {
            System.out.println("paid");
            return 0;
        }
        Status status = waited.getStatus();
        if (status.getTransactionStatus().trim().equalsIgnoreCase("Completed")
                || !status.getRefundStatus().isEmpty()
                || !status.getRefundType().isEmpty()
                || !status.getSettlementStatus().isEmpty()
                || !status.getSettlementDate().isEmpty()) {
            System.out.println("a person must look at it: " + verification.getReasons());
        } else {
            // Also after "Failed" or "Cancelled": only "Completed" is known to be the end.
            String last = status.getTransactionStatus();
            System.out.println("open, its status is " + last + ": the customer may still pay");
        }
        return 4;
    }

    /** The answer to the order was lost. A query changes nothing. */
    private static void ask(PayorderClient client, StatusQuery query) {
        try {
            String status = client.getStatus(query).getTransactionStatus();
            System.out.println("the order exists, its status is " + status);
            // Without its checkout URL, and if it is not paid, a person decides whether to sell again.
        } catch (PayorderException error) {
            // Even "no such order" proves nothing: the service may know it a moment later.
            System.out.println("still unknown, ask again: " + error.getMessage());
        }
    }
}
