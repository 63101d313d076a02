/* The clients of the library. All objects with the same settings share one, also one after another:
 * a web page that makes an object for each request keeps its connections and its journal. */
#include <stdio.h>

#include "component.h"

/* So many clients that no object uses stay open. */
enum { UNUSED = 16 };

struct Shared {
    Shared *next;
    char *settings; /* wiped when it is freed, as all texts of the library */
    payorder_client *client;
    LONG users;
};

/* From the one that was used last. */
static Shared *all;
static SRWLOCK lock = SRWLOCK_INIT;

payorder_client *shared_client(const Shared *shared)
{
    return shared->client;
}

Shared *shared_add(Shared *shared)
{
    AcquireSRWLockExclusive(&lock);
    shared->users++;
    ReleaseSRWLockExclusive(&lock);
    return shared;
}

/* Frees all but the first ones that no object uses. */
static void keep(int unused)
{
    Shared **at = &all;
    while (*at) {
        Shared *one = *at;
        if (one->users || unused-- > 0) {
            at = &one->next;
            continue;
        }
        *at = one->next;
        payorder_client_free(one->client);
        payorder_string_free(one->settings);
        free(one);
    }
}

void shared_clear(void)
{
    AcquireSRWLockExclusive(&lock);
    keep(0);
    ReleaseSRWLockExclusive(&lock);
}

void shared_release(Shared *shared)
{
    if (!shared)
        return;
    AcquireSRWLockExclusive(&lock);
    shared->users--;
    keep(UNUSED);
    ReleaseSRWLockExclusive(&lock);
}

/* The variables that the library reads, and when the file of PAYORDER_CONFIG was written: a page
 * that opens a client after they have changed gets another one. */
static int32_t environment(char **settings)
{
    static const wchar_t *const names[] = {
        L"PAYORDER_BASE_URL",   L"PAYORDER_ACCESS_TOKEN", L"PAYORDER_CLIENT_KEY",
        L"PAYORDER_CLIENT_ID",  L"PAYORDER_SECRET_KEY",   L"PAYORDER_JOURNAL",
        L"PAYORDER_CA_FILE",    L"PAYORDER_CONFIG",       NULL,
    };
    WIN32_FILE_ATTRIBUTE_DATA file = {0};
    char place[64];
    int32_t result = payorder_json_set(NULL, "/from", "\"environment\"", settings);
    for (const wchar_t *const *name = names; result == PAYORDER_OK && *name; name++) {
        DWORD length = GetEnvironmentVariableW(*name, NULL, 0);
        VARIANT value;
        char *text;
        if (!length)
            continue;
        V_VT(&value) = VT_BSTR;
        V_BSTR(&value) = SysAllocStringLen(NULL, length - 1);
        if (!V_BSTR(&value))
            return PAYORDER_INTERNAL;
        GetEnvironmentVariableW(*name, V_BSTR(&value), length);
        if (!name[1])
            GetFileAttributesExW(V_BSTR(&value), GetFileExInfoStandard, &file);
        /* The library says what is wrong with a text that is not UTF-16. */
        if (SUCCEEDED(text_read(&client_class, *name, &value, 0, &text))) {
            snprintf(place, sizeof place, "/%ls", *name);
            json_put(&client_class, *name, settings, place, text);
            text_free(text);
        }
        SysFreeString(V_BSTR(&value));
    }
    snprintf(place, sizeof place, "[%lu,%lu]", file.ftLastWriteTime.dwHighDateTime,
             file.ftLastWriteTime.dwLowDateTime);
    json_put_value(&client_class, L"settings", settings, "/written", place);
    return result;
}

int32_t shared_open(const char *settings, Shared **out, char **json)
{
    Shared *one = NULL, **at;
    char *key = NULL;
    int32_t result = settings ? payorder_json_get(settings, "", &key) : environment(&key);
    *out = NULL;
    *json = NULL;
    if (result != PAYORDER_OK) {
        *json = key;
        return result;
    }
    AcquireSRWLockExclusive(&lock);
    for (at = &all; *at && strcmp((*at)->settings, key); at = &(*at)->next)
        ;
    if (*at) {
        one = *at;
        *at = one->next;
        payorder_string_free(key);
    } else if ((one = calloc(1, sizeof *one))) {
        one->settings = key;
        result = settings ? payorder_client_new(settings, &one->client, json)
                          : payorder_client_from_env(NULL, &one->client, json);
    } else {
        result = PAYORDER_INTERNAL;
        payorder_string_free(key);
    }
    if (result == PAYORDER_OK) {
        one->users++;
        one->next = all;
        all = *out = one;
    } else if (one) {
        payorder_string_free(one->settings);
        free(one);
    }
    ReleaseSRWLockExclusive(&lock);
    return result;
}
