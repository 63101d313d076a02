/* An order read, checked and written with cJSON: what a C program does for itself where it has no payorder. */
#ifndef CJSON_ORDER_H
#define CJSON_ORDER_H

/* The wire body of an order, to be freed by cJSON_free; NULL where the order breaks a rule. */
char *cjson_order(const char *text);

#endif
