/* Texts of COM, which are UTF-16, and of the library. */
#include <stdio.h>
#include <wchar.h>

#include "component.h"

/* Frees a copy of an argument, which may be a credential. */
static void wipe(VARIANT *copy)
{
    if (V_VT(copy) == VT_BSTR)
        SecureZeroMemory(V_BSTR(copy), SysStringByteLen(V_BSTR(copy)));
    VariantClear(copy);
}

BOOL left_out(VARIANT *given)
{
    VARIANT value;
    BOOL is_left_out;
    VariantInit(&value);
    if (FAILED(VariantCopyInd(&value, given)))
        return FALSE;
    is_left_out = V_VT(&value) == VT_EMPTY ||
                  (V_VT(&value) == VT_ERROR && V_ERROR(&value) == DISP_E_PARAMNOTFOUND) ||
                  (V_VT(&value) == VT_BSTR && SysStringLen(V_BSTR(&value)) == 0);
    wipe(&value);
    return is_left_out;
}

void text_free(char *text)
{
    if (text)
        SecureZeroMemory(text, strlen(text));
    free(text);
}

/* A price as the service shows it: 249.5 is "249.50". */
static HRESULT price(DECIMAL *amount, BSTR *text)
{
    wchar_t written[64];
    const wchar_t *point;
    HRESULT status = VarBstrFromDec(amount, LOCALE_INVARIANT, 0, text);
    if (FAILED(status) || SysStringLen(*text) > 60)
        return FAILED(status) ? status : DISP_E_OVERFLOW;
    point = wcschr(*text, L'.');
    _snwprintf(written, 64, L"%ls%ls", *text, !point ? L".00" : wcslen(point) == 2 ? L"0" : L"");
    return SysReAllocString(text, written) ? S_OK : E_OUTOFMEMORY;
}

HRESULT text_read(const Class *class, const wchar_t *name, VARIANT *given, int how,
                  char **text)
{
    VARIANT value;
    HRESULT status;
    int length, size;
    *text = NULL;
    if ((how & TEXT_OPTIONAL) && left_out(given))
        return S_OK;
    VariantInit(&value);
    status = VariantCopyInd(&value, given);
    if (FAILED(status))
        return status;
    if ((how & TEXT_AMOUNT) && (V_VT(&value) == VT_CY || V_VT(&value) == VT_DECIMAL)) {
        DECIMAL amount = V_DECIMAL(&value);
        BSTR written = NULL;
        if (V_VT(&value) == VT_CY)
            VarDecFromCy(V_CY(&value), &amount);
        status = price(&amount, &written);
        V_VT(&value) = VT_BSTR;
        V_BSTR(&value) = written;
    }
    if (FAILED(status)) {
        status = mistake(class, status, L"%ls is not an amount", name);
    } else if (V_VT(&value) != VT_BSTR) {
        status = mistake(class, DISP_E_TYPEMISMATCH,
                         how & TEXT_AMOUNT ? L"%ls must be text, such as \"249.50\", Currency or Decimal"
                                      : L"%ls must be text", name);
    } else if (length = SysStringLen(V_BSTR(&value)), wmemchr(V_BSTR(&value), 0, length)) {
        status = mistake(class, E_INVALIDARG, L"%ls has a character 0", name);
    } else if (size = WideCharToMultiByte(CP_UTF8, WC_ERR_INVALID_CHARS, V_BSTR(&value), length,
                                          NULL, 0, NULL, NULL),
               length && !size) {
        status = mistake(class, E_INVALIDARG, L"%ls has half of a surrogate pair", name);
    } else if (!(*text = calloc(1, size + 1))) {
        status = E_OUTOFMEMORY;
    } else {
        WideCharToMultiByte(CP_UTF8, 0, V_BSTR(&value), length, *text, size, NULL, NULL);
    }
    wipe(&value);
    return status;
}

HRESULT json_read(const Class *class, const wchar_t *name, VARIANT *given, int how,
                  char **json)
{
    char *text, *copy;
    HRESULT status = text_read(class, name, given, how, &text);
    *json = NULL;
    if (FAILED(status) || !text)
        return status;
    /* A text that is a JSON string would lose its quotes, and needs them nowhere. */
    if (payorder_json_get(text, "", &copy) != PAYORDER_OK)
        status = mistake_of(class, name, copy);
    else
        *json = copy;
    text_free(text);
    return status;
}

HRESULT number_read(const Class *class, const wchar_t *name, VARIANT *given, double least,
                    double most, double *number)
{
    VARIANT value;
    HRESULT status;
    VariantInit(&value);
    status = VariantCopyInd(&value, given);
    if (FAILED(status))
        return status;
    switch (V_VT(&value)) {
    case VT_I1: case VT_I2: case VT_I4: case VT_I8: case VT_INT:
    case VT_UI1: case VT_UI2: case VT_UI4: case VT_UI8: case VT_UINT:
    case VT_R4: case VT_R8: case VT_CY: case VT_DECIMAL:
        status = VariantChangeType(&value, &value, 0, VT_R8);
        break;
    default:
        status = DISP_E_TYPEMISMATCH;
    }
    if (FAILED(status))
        status = mistake(class, status, L"%ls must be a number", name);
    else if (!(V_R8(&value) >= least && V_R8(&value) <= most))
        status = mistake(class, E_INVALIDARG, L"%ls must be between %.15g and %.15g", name, least,
                         most);
    else
        *number = V_R8(&value);
    VariantClear(&value);
    return status;
}

HRESULT text_give(const char *text, BSTR *out)
{
    int length = text ? (int)strlen(text) : 0;
    int size = length ? MultiByteToWideChar(CP_UTF8, 0, text, length, NULL, 0) : 0;
    *out = SysAllocStringLen(NULL, size);
    if (!*out)
        return E_OUTOFMEMORY;
    if (size)
        MultiByteToWideChar(CP_UTF8, 0, text, length, *out, size);
    return S_OK;
}

HRESULT json_put_value(const Class *class, const wchar_t *name, char **json, const char *pointer,
                       const char *value)
{
    char *changed;
    if (payorder_json_set(*json, pointer, value, &changed) != PAYORDER_OK)
        return mistake_of(class, name, changed);
    payorder_string_free(*json);
    *json = changed;
    return S_OK;
}

HRESULT json_put(const Class *class, const wchar_t *name, char **json, const char *pointer,
                 const char *text)
{
    char *quoted;
    HRESULT status;
    if (payorder_json_quote(text, &quoted) != PAYORDER_OK)
        return mistake_of(class, name, quoted);
    status = json_put_value(class, name, json, pointer, quoted);
    payorder_string_free(quoted);
    return status;
}

char *json_get(const char *json, const char *pointer)
{
    char *value;
    if (!json)
        return NULL;
    if (payorder_json_get(json, pointer, &value) == PAYORDER_OK)
        return value;
    payorder_string_free(value);
    return NULL;
}
