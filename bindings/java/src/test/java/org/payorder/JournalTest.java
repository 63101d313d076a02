package org.payorder;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;
import org.payorder.Constants.Actions;

final class JournalTest {
    public void lostOrdersAreResolvedSettledAndPruned() throws IOException {
        withJournal(
                client -> {
                    Journal journal = client.getJournal();
                    Order known = Sandbox.order("sandbox:drop-after-commit");
                    Order lost = Sandbox.order("sandbox:drop-before");
                    Check.fails(ConnectionLostException.class, () -> client.createOrder(known));
                    Check.fails(ConnectionLostException.class, () -> client.createOrder(lost));
                    Check.equal(2, journal.list(new ListOptions().unresolved()).size());
                    List<String> verdicts = new ArrayList<>();
                    List<ExpectedPayment> sales =
                            Collections.singletonList(new ExpectedPayment("elsewhere", "1"));
                    for (Recovered.Sale sale : client.recover(sales, null).getSales()) {
                        verdicts.add(sale.getVerdict().name());
                    }
                    Check.equal(Arrays.asList("NOT_IN_JOURNAL", "URL_LOST", "UNKNOWN"), verdicts);
                    Resolved resolved = journal.resolve(null);
                    Check.equal(2, resolved.getSummary().getAsked());
                    Check.equal(1, resolved.getSummary().getOk());
                    Check.equal(1, resolved.getEntries().size());
                    JournalEntry left = resolved.getEntries().get(0);
                    Check.equal(lost.getOrderId(), left.getOrderId());
                    Check.equal(JournalEntry.State.UNKNOWN, left.getState());
                    Check.fails(
                            RejectedException.class,
                            () -> client.getStatus(left.getStatusQuery()));
                    JournalEntry settled = journal.settle(left.getEntry(), "paid in cash ✓");
                    Check.equal(JournalEntry.State.SETTLED, settled.getState());
                    Check.equal("paid in cash ✓", settled.getNote());
                    resolved = Check.result(journal.resolveAsync(new BatchOptions()));
                    Check.equal(0, resolved.getEntries().size());
                    Check.equal(0, journal.prune(1));
                    Check.fails(InvalidArgumentException.class, () -> journal.prune(0));
                });
    }

    public void theListHasPages() throws IOException {
        withJournal(
                client -> {
                    for (int number = 0; number < 5; number++) {
                        client.createOrder(Sandbox.order());
                    }
                    Journal journal = client.getJournal();
                    List<JournalEntry> all = journal.list();
                    Check.equal(5, all.size());
                    Check.equal(3, journal.list(new ListOptions().limit(3)).size());
                    String first = all.get(0).getOrderId();
                    ListOptions ofFirst = new ListOptions().orderId(first).events(true);
                    List<JournalEntry> told = journal.list(ofFirst);
                    Check.equal(1, told.size());
                    Check.equal(true, told.get(0).getRaw().contains("\"event\":\"sending\""));
                    long fourth = all.get(3).getEntry();
                    ListOptions options =
                            new ListOptions().state(JournalEntry.State.CREATED).after(fourth);
                    List<JournalEntry> last = journal.list(options);
                    Check.equal(1, last.size());
                    Check.equal(all.get(4).getEntry(), last.get(0).getEntry());
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
