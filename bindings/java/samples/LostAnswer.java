import org.payorder.Order;
import org.payorder.OutcomeUnknownException;
import org.payorder.PayorderClient;
import org.payorder.PayorderException;
import org.payorder.RejectedException;
import org.payorder.Status;
import org.payorder.StatusQuery;

/** The answer to an order is lost, and its status says whether it exists: LostAnswer ORDER_ID. */
final class LostAnswer {
    private LostAnswer() {}

    public static void main(String[] arguments) {
        // The marker makes the sandbox keep the order and cut the connection.
        Order order = Till.order(arguments[0], "Two coffees sandbox:drop-after-commit");
        try (PayorderClient client = new PayorderClient(Till.config())) {
            try {
                System.out.println("send the customer to " + client.createOrder(order).getUrl());
            } catch (OutcomeUnknownException error) {
                System.out.println("the order may exist: " + error.getMessage());
                settle(client, error.getStatusQuery());
            }
        }
    }

    private static void settle(PayorderClient client, StatusQuery query) {
        try {
            Status status = client.getStatus(query);
            System.out.println("the order exists, its status is " + status.getTransactionStatus());
            // A status has no checkout URL. If the customer has not paid, sell with a new order.
        } catch (RejectedException error) {
            // The service may know the order a moment later: ask again before the sale is repeated.
            System.out.println("the service does not know it: " + error.getResponseMessage());
        } catch (PayorderException error) {
            System.out.println("still unknown, ask again: " + error.getMessage());
        }
    }
}
