/*
 * Adds a certificate to one of the user's certificate stores, or makes an order and prints the
 * result with its cause.
 *
 *     roots add STORE FILE     the file has the certificate in DER
 *     roots create CONFIG
 */
#include <payorder.h>

#include <windows.h>

#include <wincrypt.h>

#include <stdio.h>
#include <string.h>

static int add(const char *name, const char *path)
{
    static BYTE bytes[65536];
    FILE *file = fopen(path, "rb");
    HCERTSTORE store = CertOpenSystemStoreA(0, name);
    if (file == NULL || store == NULL) {
        return 1;
    }
    DWORD length = (DWORD)fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    BOOL added = CertAddEncodedCertificateToStore(store, X509_ASN_ENCODING, bytes, length,
                                                  CERT_STORE_ADD_REPLACE_EXISTING, NULL);
    return CertCloseStore(store, 0) && added ? 0 : 1;
}

static int create(const char *config)
{
    const char *pairs[] = {
        "amount", "100.10", "merchantTxnId", "TXN-1", "orderId", "ORDER-1", "payMode", "all",
        "merchantId", "M-7", "productInfo", "Two coffees", "customerName", "Asha Verma",
        "customerMobile", "9876543210", "customerEmail", "asha@example.com",
        "redirectionURL", "https://shop.example.com/done", "currencyCode", "INR", NULL};
    payorder_client *client = NULL;
    char *order = NULL, *json = NULL, *cause = NULL;
    if (payorder_client_new(config, &client, &json) != PAYORDER_OK ||
        payorder_json_object(pairs, &order) != PAYORDER_OK) {
        return 1;
    }
    payorder_result result = payorder_create_order(client, order, NULL, &json);
    if (result == PAYORDER_OK || payorder_json_get(json, "/error/cause", &cause) != PAYORDER_OK) {
        cause = NULL;
    }
    printf("%s %s\n", payorder_result_name(result), cause == NULL ? "" : cause);
    payorder_string_free(cause);
    payorder_string_free(json);
    payorder_string_free(order);
    return payorder_client_free(client) == PAYORDER_OK ? 0 : 1;
}

int main(int count, char **arguments)
{
    if (count == 4 && strcmp(arguments[1], "add") == 0) {
        return add(arguments[2], arguments[3]);
    }
    return count == 3 ? create(arguments[2]) : 2;
}
