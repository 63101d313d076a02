/* JSON for the C driver, with the library's own functions. */
#ifndef DRIVER_JSON_H
#define DRIVER_JSON_H

#include <payorder.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME = 64 };

/* Returns the value at a JSON pointer, or NULL if there is none. */
static char *get(const char *json, const char *pointer)
{
    char *value = NULL;
    if (payorder_json_get(json, pointer, &value) == PAYORDER_OK) {
        return value;
    }
    payorder_string_free(value);
    return NULL;
}

/* Copies a short text, or the empty one. No string of the library is live afterwards. */
static void copy(const char *json, const char *pointer, char buffer[NAME])
{
    if (payorder_json_copy(json, pointer, buffer, NAME, NULL) != PAYORDER_OK) {
        buffer[0] = '\0';
    }
}

static int is(const char *json, const char *pointer, const char *text)
{
    char value[NAME];
    copy(json, pointer, value);
    return strcmp(value, text) == 0;
}

/* Sets a JSON value. Frees the text, and returns the changed one. */
static char *set(char *json, const char *pointer, const char *value_json)
{
    char *changed = NULL;
    if (payorder_json_set(json, pointer, value_json, &changed) != PAYORDER_OK) {
        fprintf(stderr, "driver: %s cannot be set: %s\n", pointer, changed);
        exit(1);
    }
    payorder_string_free(json);
    return changed;
}

static char *set_text(char *json, const char *pointer, const char *text)
{
    char *quoted = NULL;
    if (payorder_json_quote(text, &quoted) != PAYORDER_OK) {
        fprintf(stderr, "driver: %s is not UTF-8\n", pointer);
        exit(1);
    }
    json = set(json, pointer, quoted);
    payorder_string_free(quoted);
    return json;
}

static char *set_number(char *json, const char *pointer, unsigned long number)
{
    char text[NAME];
    snprintf(text, sizeof text, "%lu", number);
    return set(json, pointer, text);
}

/* Copies a text from one JSON text to another; null if there is none. */
static char *set_from(char *json, const char *pointer, const char *from, const char *at)
{
    char *text = get(from, at);
    json = text != NULL ? set_text(json, pointer, text) : set(json, pointer, "null");
    payorder_string_free(text);
    return json;
}

#endif
