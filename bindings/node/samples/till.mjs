// What the samples share: an order.

// It needs identifiers that were never used before.
export function newOrder(orderId, amount) {
  return {
    amount, // text, never a number
    merchantTxnId: `T-${orderId}`,
    orderId,
    payMode: 'all',
    merchantId: 'M-1',
    productInfo: 'Two coffees',
    customerName: 'Asha Rao',
    customerMobile: '9000000001',
    customerEmail: 'asha@example.com',
    redirectionURL: 'https://shop.example.com/return',
    currencyCode: 'INR',
  };
}
