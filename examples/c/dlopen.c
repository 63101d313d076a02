/*
 * The first sale with a library that is loaded when the program runs. It takes three functions; the
 * settings are in variables such as PAYORDER_BASE_URL.
 *
 *     cc -std=c99 -Iinclude examples/c/dlopen.c -ldl -o load
 *     ./load /usr/local/lib/libpayorder.so.1 O-1001
 */
#include <payorder.h>
#include <stdio.h>
#include <string.h>
#ifdef _WIN32
#include <windows.h>
#define load(path) LoadLibraryA(path)
#define find(library, name) GetProcAddress(library, name)
typedef HMODULE handle;
typedef FARPROC symbol;
#else
#include <dlfcn.h>
#define load(path) dlopen(path, RTLD_NOW | RTLD_LOCAL)
#define find(library, name) dlsym(library, name)
typedef void *handle, *symbol;
#endif

/* Copies the address, because C has no cast from dlsym's result to a pointer to a function. */
static int get(handle library, const char *name, void *function)
{
    symbol found = find(library, name);
    if (!found)
        fprintf(stderr, "the library has no %s\n", name);
    memcpy(function, &found, sizeof found);
    return found != NULL;
}

int main(int argc, char **argv)
{
    payorder_abi_version_fn abi_version;
    payorder_client_from_env_fn client_from_env;
    payorder_create_order_fn create_order;
    payorder_string_free_fn string_free;
    payorder_client *client = NULL;
    char order[1024], *json = NULL;

    if (argc != 3) {
        fprintf(stderr, "usage: load LIBRARY ORDER_ID\n");
        return 1;
    }
    handle library = load(argv[1]);
    if (!library) {
        fprintf(stderr, "%s cannot be loaded\n", argv[1]);
        return 1;
    }
    if (!get(library, "payorder_abi_version", &abi_version)
        || !get(library, "payorder_client_from_env", &client_from_env)
        || !get(library, "payorder_create_order", &create_order)
        || !get(library, "payorder_string_free", &string_free))
        return 1;
    /* Another version has functions of the same names with other parameters. */
    if (abi_version() != PAYORDER_HEADER_ABI_VERSION) {
        fprintf(stderr, "%s has another interface version than payorder.h\n", argv[1]);
        return 1;
    }

    /* payorder_json_object would also escape what is in a text. */
    snprintf(order, sizeof order,
             "{\"amount\":\"100.00\",\"merchantTxnId\":\"%s\",\"orderId\":\"%s\",\"payMode\":\"all\","
             "\"merchantId\":\"M-1\",\"productInfo\":\"Two coffees\",\"customerName\":\"Asha Rao\","
             "\"customerMobile\":\"9000000000\",\"customerEmail\":\"asha@example.com\","
             "\"redirectionURL\":\"https://shop.example/return\",\"currencyCode\":\"INR\"}",
             argv[2], argv[2]);
    payorder_result result = client_from_env(NULL, &client, &json);
    if (result == PAYORDER_OK)
        result = create_order(client, order, NULL, &json);
    if (result == PAYORDER_OK)
        printf("send the customer to the url in %s\n", json);
    else /* Only a result below 200 means that this call created no order. */
        fprintf(stderr, "result %d: do what \"action\" says: %s\n", (int)result, json);
    string_free(json);
    /* The end of the program frees the client. To unload the library is useless: its code stays. */
    return result == PAYORDER_OK ? 0 : 1;
}
