/* Reads, checks and writes an order with cJSON, as a C program would without payorder. */
#ifndef CJSON_ORDER_H
#define CJSON_ORDER_H

/* The body of an order, to be freed with cJSON_free; NULL if the order breaks a rule. */
char *cjson_order(const char *text);

#endif
