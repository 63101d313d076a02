import org.payorder.Order;
import org.payorder.PayorderClient;

final class Loop {
    private Loop() {}

    public static void main(String[] arguments) {
        try (PayorderClient client = PayorderClient.fromEnv()) {
            for (int number = 0; number < Integer.parseInt(arguments[0]); number++) {
                Order order = Till.order(arguments[1] + "-" + number, "Two coffees");
                if (client.createOrder(order).getUrl().isEmpty()) {
                    System.exit(1);
                }
            }
        }
    }
}
