import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.List;
import org.payorder.*;

/**
 * Compares the day's orders with the service: Reconciliation ORDERS.csv. Each line of the file has
 * an order id, a comma and the amount.
 */
final class Reconciliation {
    private static int differences;

    private Reconciliation() {}

    public static void main(String[] arguments) throws IOException {
        List<ExpectedPayment> orders = new ArrayList<>();
        List<StatusQuery> queries = new ArrayList<>();
        int number = 0;
        for (String line : Files.readAllLines(Paths.get(arguments[0]))) {
            number++;
            if (number == 1 && line.startsWith("\ufeff")) {
                line = line.substring(1); // a byte-order mark
            }
            if (line.isEmpty()) {
                continue;
            }
            String[] row = line.split(",");
            if (row.length < 2) {
                System.err.println("line " + number + " has no amount");
                System.exit(1);
            }
            orders.add(new ExpectedPayment(row[0], row[1]));
            queries.add(StatusQuery.byOrder(row[0]));
        }
        if (orders.isEmpty()) {
            System.err.println("no orders in " + arguments[0]);
            System.exit(1);
        }
        try (PayorderClient client = PayorderClient.fromEnv()) {
            Summary summary =
                    client.getStatuses(
                            queries,
                            result -> {
                                report(orders.get(result.getIndex()), result);
                                return true;
                            },
                            new BatchOptions().concurrency(8).ratePerSecond(50.0));
            System.out.println(summary.getAsked() + " asked, " + differences + " differ");
            System.exit(summary.isStopped() || differences > 0 ? 1 : 0);
        }
    }

    private static void report(ExpectedPayment expected, StatusResult result) {
        String verdict = verdict(expected, result);
        System.out.println(expected.getOrderId() + "," + verdict);
        differences += verdict.equals("paid") ? 0 : 1;
    }

    private static String verdict(ExpectedPayment expected, StatusResult result) {
        PayorderException error = result.getError();
        if (error != null) {
            // With wrong credentials, nothing is known about the order.
            boolean refused = error.getResult() == Result.REJECTED;
            return refused ? "refused: " + error.getResponseMessage() : "no answer, ask again";
        }
        try {
            Verification verification = Payorder.verifyPayment(expected, result.getStatus());
            return verification.isPaid() ? "paid" : verification.getReasons().toString();
        } catch (UnusableTextException unusable) {
            return "cannot be checked"; // such as an amount with a space
        }
    }
}
