import org.payorder.*;

/** The answer to an order is lost, and its status says whether it exists: LostAnswer ORDER_ID. */
final class LostAnswer {
    private LostAnswer() {}

    public static void main(String[] arguments) {
        // The marker makes the sandbox keep the order and cut the connection.
        Order order = Till.order(arguments[0], "Two coffees sandbox:drop-after-commit");
        try (PayorderClient client = PayorderClient.fromEnv()) {
            try {
                System.out.println("send the customer to " + client.createOrder(order).getUrl());
            } catch (OutcomeUnknownException error) {
                System.out.println("the order may exist: " + error.getAction() + ", " + error.getMessage());
                settle(client, error.getStatusQuery());
            }
        }
    }

    private static void settle(PayorderClient client, StatusQuery query) {
        try {
            Status status = client.getStatus(query);
            System.out.println("the order exists, its status is " + status.getTransactionStatus());
            // Its checkout URL is lost. If it is not paid, a person decides whether to sell again.
        } catch (PayorderException error) {
            // Even "no such order" proves nothing: the service may know it a moment later.
            System.out.println("still unknown, ask again: " + error.getMessage());
        }
    }
}
