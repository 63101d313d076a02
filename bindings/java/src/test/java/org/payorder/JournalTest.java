package org.payorder;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrowsExactly;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

final class JournalTest {
    @Test
    void lostOrdersHaveVerdictsAndEvents() throws IOException {
        withJournal(
                client -> {
                    Order lost = Sandbox.order("sandbox:drop-after-commit");
                    assertThrowsExactly(ConnectionLostException.class, () -> client.createOrder(lost));
                    List<String> verdicts = new ArrayList<>();
                    List<ExpectedPayment> sales =
                            Collections.singletonList(new ExpectedPayment("elsewhere", "1"));
                    for (Recovered.Sale sale : client.recover(sales, null).getSales()) {
                        verdicts.add(sale.getVerdict().name());
                    }
                    assertEquals(Arrays.asList("NOT_IN_JOURNAL", "URL_LOST"), verdicts);
                    Journal journal = client.getJournal();
                    ListOptions ofLost = new ListOptions().orderId(lost.getOrderId()).events(true);
                    JournalEntry entry = journal.list(ofLost).get(0);
                    assertEquals(true, entry.getRaw().contains("\"event\":\"sending\""));
                    assertEquals(0, Check.result(journal.resolveAsync(null)).getEntries().size());
                });
    }

    private static void withJournal(Consumer<PayorderClient> test) throws IOException {
        Path folder = Files.createTempDirectory("payorder");
        String journal = folder.resolve("orders.sqlite").toString();
        ClientConfig config = Sandbox.config(Sandbox.URL).journal(journal);
        try (PayorderClient client = new PayorderClient(config)) {
            test.accept(client);
        }
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
            for (Path file : files) {
                Files.delete(file);
            }
        }
        Files.delete(folder);
    }
}
