package org.payorder;

/**
 * Keeps the program running until the orders of createOrderAsync have ended. They hold no thread
 * that would.
 */
final class RunningOrders {
    private static int count;

    private RunningOrders() {}

    static synchronized void begin() {
        if (count == 0) {
            Threads.start(RunningOrders::awaitEnd, "payorder orders", false);
        }
        count++;
    }

    static synchronized void end() {
        count--;
        RunningOrders.class.notifyAll();
    }

    private static synchronized void awaitEnd() {
        while (count > 0) {
            try {
                RunningOrders.class.wait();
            } catch (InterruptedException ignored) {
                // Nobody else knows this thread.
            }
        }
    }
}
