/*
 * A host on Windows: cancels a call in which the service does not respond, and searches its own
 * memory for the secrets of a client that was freed.
 *
 *     host FILE ORDER_ID     the file has the configuration of a client of the sandbox
 *
 * It prints nothing and exits with 0, or prints what went wrong.
 */
#include <payorder.h>

#include <windows.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(condition) \
    do { \
        if (!(condition)) { \
            printf("%s:%d: not true: %s\n", __FILE__, __LINE__, #condition); \
            exit(1); \
        } \
    } while (0)

static payorder_client *client;

static payorder_result create(const char *order_id, const char *sold)
{
    const char *pairs[] = {
        "amount", "100.10", "merchantTxnId", order_id, "orderId", order_id, "payMode", "all",
        "merchantId", "M-7", "productInfo", sold, "customerName", "Asha Verma",
        "customerMobile", "9876543210", "customerEmail", "asha@example.com",
        "redirectionURL", "https://shop.example.com/done", "currencyCode", "INR", NULL};
    char *order = NULL, *json = NULL;
    CHECK(payorder_json_object(pairs, &order) == PAYORDER_OK);
    payorder_result result = payorder_create_order(client, order, NULL, &json);
    CHECK(json != NULL);
    payorder_string_free(json);
    payorder_string_free(order);
    return result;
}

static DWORD WINAPI create_without_response(void *order_id)
{
    return (DWORD)create(order_id, "Two coffees sandbox:stall");
}

static void a_cancelled_call_ends_within_100_ms(const char *number)
{
    char order_id[64];
    snprintf(order_id, sizeof order_id, "CANCELLED-%s", number);
    HANDLE thread = CreateThread(NULL, 0, create_without_response, order_id, 0, NULL);
    DWORD result = 0;
    CHECK(thread != NULL);
    CHECK(WaitForSingleObject(thread, 1000) == WAIT_TIMEOUT);
    CHECK(payorder_client_cancel(client) == PAYORDER_OK);
    CHECK(WaitForSingleObject(thread, 100) == WAIT_OBJECT_0);
    CHECK(GetExitCodeThread(thread, &result) && result == PAYORDER_CANCELLED_IN_FLIGHT);
    CloseHandle(thread);
}

/*
 * Whether a text is in the memory of this process that can be written. Its first letter is given
 * apart, or the search would find what it is given.
 */
static int is_in_memory(char first, const char *rest)
{
    const size_t length = strlen(rest);
    MEMORY_BASIC_INFORMATION region;
    for (char *at = NULL; VirtualQuery(at, &region, sizeof region) == sizeof region;
         at = (char *)region.BaseAddress + region.RegionSize) {
        if (region.State != MEM_COMMIT || region.Protect != PAGE_READWRITE) {
            continue;
        }
        const char *place = region.BaseAddress, *last = place + region.RegionSize - length - 1;
        for (; place <= last; place++) {
            if (*place == first && memcmp(place + 1, rest, length) == 0) {
                return 1;
            }
        }
    }
    return 0;
}

static char *read_file(const char *path, size_t *length)
{
    HANDLE file = CreateFileA(path, GENERIC_READ, FILE_SHARE_READ, NULL, OPEN_EXISTING, 0, NULL);
    DWORD size = GetFileSize(file, NULL), read = 0;
    char *text = calloc(1, size + 1);
    CHECK(text != NULL && ReadFile(file, text, size, &read, NULL) && read == size);
    CloseHandle(file);
    *length = size;
    return text;
}

int main(int count, char **arguments)
{
    size_t length = 0;
    char *json = NULL;
    CHECK(count == 3);
    char *config = read_file(arguments[1], &length);
    CHECK(payorder_client_new(config, &client, &json) == PAYORDER_OK);
    CHECK(is_in_memory('s', "andbox-access-token")); /* the search works */
    SecureZeroMemory(config, length);
    free(config);
    CHECK(create(arguments[2], "Two coffees") == PAYORDER_OK);
    a_cancelled_call_ends_within_100_ms(arguments[2]);
    CHECK(payorder_client_free(client) == PAYORDER_OK);
    CHECK(!is_in_memory('s', "andbox-access-token"));
    CHECK(!is_in_memory('9', "876543210"));
    CHECK(payorder_live_strings() == 0 && payorder_live_clients() == 0);
    return 0;
}
