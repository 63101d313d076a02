import org.payorder.ClientConfig;
import org.payorder.Order;

/** What the samples share: the settings, and an order. */
final class Till {
    private Till() {}

    static ClientConfig config() {
        return new ClientConfig(System.getenv("PAYORDER_BASE_URL"))
                .accessToken(System.getenv("PAYORDER_ACCESS_TOKEN"))
                .clientKey(System.getenv("PAYORDER_CLIENT_KEY"))
                .clientId(System.getenv("PAYORDER_CLIENT_ID"))
                .secretKey(System.getenv("PAYORDER_SECRET_KEY"));
    }

    static Order order(String orderId, String productInfo) {
        return new Order()
                .amount("249.50")
                .merchantTxnId("TXN-" + orderId)
                .orderId(orderId)
                .payMode("all")
                .merchantId("M-1")
                .productInfo(productInfo)
                .customerName("आशा राव")
                .customerMobile("9000000001")
                .customerEmail("asha@example.com")
                .redirectionUrl("https://shop.example.com/return")
                .currencyCode("INR");
    }
}
