import org.payorder.Order;
import org.payorder.PayMode;

/** What the samples share: an order. */
final class Till {
    private Till() {}

    static Order order(String orderId) {
        return new Order()
                .amount("249.50")
                .merchantTxnId("TXN-" + orderId)
                .orderId(orderId)
                .payMode(PayMode.ALL)
                .merchantId("M-1")
                .productInfo("Two coffees")
                .customerName("आशा राव")
                .customerMobile("9000000001")
                .customerEmail("asha@example.com")
                .redirectionUrl("https://shop.example.com/return")
                .currencyCode("INR");
    }
}
