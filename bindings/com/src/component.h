/* What the parts of the component have together. */
#ifndef COMPONENT_H
#define COMPONENT_H
#define COBJMACROS
#define CINTERFACE
#include <windows.h>
#include <ole2.h>

/* Before the library's header, which has the same constants as macros. */
#include "payorder_com.h"

#include "payorder.h"

/* ---- object.c: what all objects have: IUnknown, IDispatch by the type library, and errors */

typedef struct Object Object;

typedef struct {
    const void *methods;
    const IID *iid;
    const wchar_t *name; /* the source of its errors; NULL: it has no IDispatch */
    size_t size;
    void (*destroy)(Object *object);
    ITypeInfo *about; /* loaded when it is needed */
} Class;

struct Object {
    const void *methods;                /* of its interface, the first thing that COM looks at */
    const ISupportErrorInfoVtbl *errors;
    Class *class;
    IUnknown *marshaler;                /* lets every apartment use the object directly */
    LONG references;
};

extern HINSTANCE component;             /* this DLL */
extern LONG live_objects;               /* and locks of the server */
extern SRWLOCK guard;                   /* of the fields of all objects, for moments only */

/* All fields are 0. NULL if there is no memory. */
void *object_new(Class *class);
HRESULT STDMETHODCALLTYPE object_query(void *object, REFIID iid, void **out);
ULONG STDMETHODCALLTYPE object_add(void *object);
ULONG STDMETHODCALLTYPE object_release(void *object);
HRESULT STDMETHODCALLTYPE object_info_count(void *object, UINT *count);
HRESULT STDMETHODCALLTYPE object_info(void *object, UINT at, LCID locale, ITypeInfo **info);
HRESULT STDMETHODCALLTYPE object_ids(void *object, REFIID none, LPOLESTR *names, UINT count,
                                     LCID locale, DISPID *ids);
HRESULT STDMETHODCALLTYPE object_invoke(void *object, DISPID id, REFIID none, LCID locale,
                                        WORD flags, DISPPARAMS *arguments, VARIANT *result,
                                        EXCEPINFO *exception, UINT *argument);
#define OBJECT_METHODS                                                                             \
    (void *)object_query, (void *)object_add, (void *)object_release, (void *)object_info_count,   \
        (void *)object_info, (void *)object_ids, (void *)object_invoke

/* The object behind an argument, if it is one of this class; otherwise NULL. It is borrowed. */
void *object_of(VARIANT *argument, const Class *class);

/* Sets the error of this thread: a mistake in the program. Returns the code. */
HRESULT mistake(const Class *class, HRESULT code, const wchar_t *format, ...);
/* The same with the message of the library's JSON, which it frees. */
HRESULT mistake_of(const Class *class, const wchar_t *what, char *json);

/* ---- text.c: texts of COM and of the library. A JSON text is always one of the library's. */

enum { TEXT_OPTIONAL = 1, TEXT_AMOUNT = 2 };

/* An argument that must be a text; with TEXT_AMOUNT, also Currency or Decimal. With TEXT_OPTIONAL it may be
 * left out, or empty, and is NULL. To be freed with text_free. */
HRESULT text_read(const Class *class, const wchar_t *name, VARIANT *given, int how,
                  char **text);
/* The same, with JSON. To be freed with payorder_string_free. */
HRESULT json_read(const Class *class, const wchar_t *name, VARIANT *given, int how,
                  char **json);
/* A number, but no text, between these limits. */
HRESULT number_read(const Class *class, const wchar_t *name, VARIANT *given, double least,
                    double most, double *number);
/* Wipes it, since it may be a credential. */
void text_free(char *text);
BOOL left_out(VARIANT *given);
HRESULT text_give(const char *text, BSTR *out);

/* Sets a text in a JSON text. */
HRESULT json_put(const Class *class, const wchar_t *name, char **json, const char *pointer,
                 const char *text);
/* The same with a value that is JSON. */
HRESULT json_put_value(const Class *class, const wchar_t *name, char **json, const char *pointer,
                       const char *value);
/* A value or NULL, to be freed with payorder_string_free. */
char *json_get(const char *json, const char *pointer);

/* ---- value.c: results, and the values in their lists */

/* What the JSON of a value is. That of an order or a status is the service's answer, which may have
 * any member: also an "ok", a "paid" or an "error", which are then no words of the library. */
typedef enum { KIND_LIBRARY, KIND_CREATE, KIND_STATUS, KIND_WAIT, KIND_ERROR } Kind;

typedef struct {
    Object object;
    int32_t result;
    Kind kind; /* KIND_ERROR is only that of a Place */
    char *json;
} Value;

/* Where the JSON of one kind has a property. KIND_ERROR: the error of a failed call, or of a wait. */
typedef struct {
    Kind kind;
    const char *pointer; /* NULL: no more */
} Place;

extern Class result_class;
/* NULL if there is no memory. */
Value *result_new(Kind kind);
/* What the first of the places that has a value has there, or NULL. */
char *value_get(const Value *value, const Place *places);
#define PLACES(...) (const Place[]){__VA_ARGS__, {KIND_LIBRARY, NULL}}
/* The library's error object for what the component itself refuses. */
void value_refuse(Value *value, int32_t result, const char *cause, const char *action,
                  const char *message);

/* ---- shared.c: the library's clients, one for all objects with the same settings */

typedef struct Shared Shared;

/* With NULL for settings: those of the environment. *json is the error. */
int32_t shared_open(const char *settings, Shared **out, char **json);
Shared *shared_add(Shared *shared);
void shared_release(Shared *shared);
payorder_client *shared_client(const Shared *shared);
/* Frees those that no object uses. */
void shared_clear(void);

/* ---- order.c, client.c */

typedef struct Order {
    Object object;
    char *json, *extra; /* the fields; NULL if there are none */
} Order;

extern Class order_class, client_class;

/* Copies of both, which may be NULL. */
void order_copy(Order *order, char **json, char **extra);

/* ---- arguments.c: arguments of the client's methods, as JSON to be freed with payorder_string_free.
 * After an error there is none. */

/* An order, or its fields as JSON. */
HRESULT order_read(VARIANT *given, VARIANT *more, char **request, char **options);
/* An order id, JSON of a query that was kept, or a result, which names what to ask. seconds may be
 * NULL. */
HRESULT query_read(VARIANT *given, VARIANT *more, VARIANT *seconds, char **request, char **options);
HRESULT recover_read(VARIANT *sales, VARIANT *more, char **request, char **options);
/* A number, or all options as JSON. */
HRESULT number_option(VARIANT *given, const wchar_t *name, const char *pointer, char **options);
/* When the sale began: a Date, which is local time, or text that the library reads. */
HRESULT began_read(VARIANT *given, char **expected);

#endif
