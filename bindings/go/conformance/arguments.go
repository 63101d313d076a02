package main

import (
	"time"

	"payorder.example/payorder"
)

func order(next *step) payorder.Order {
	given := next.Order
	return payorder.Order{
		Amount:         given["amount"],
		MerchantTxnID:  given["merchantTxnId"],
		OrderID:        given["orderId"],
		PayMode:        given["payMode"],
		MerchantID:     given["merchantId"],
		ProductInfo:    given["productInfo"],
		CustomerName:   given["customerName"],
		CustomerMobile: given["customerMobile"],
		CustomerEmail:  given["customerEmail"],
		RedirectionURL: given["redirectionURL"],
		CurrencyCode:   given["currencyCode"],
	}
}

func queryOf(next *step) payorder.Query {
	switch made := saved[next.QueryOf].(type) {
	case *payorder.Error:
		return *made.StatusQuery
	case *payorder.ReturnURL:
		return made.StatusQuery
	}
	return payorder.Query(*next.Query)
}

// options turns the keys of the C interface into the options of a call.
func options[T any](next *step) []T {
	var given []T
	for key, value := range next.Options {
		given = append(given, option(key, value).(T))
	}
	return given
}

func option(key string, value interface{}) interface{} {
	text, _ := value.(string)
	number, _ := value.(float64)
	duration := time.Duration(number) * time.Millisecond
	switch key {
	case "timeoutMs":
		return payorder.WithTimeout(duration)
	case "waitMs":
		return payorder.WithWait(duration)
	case "intervalMs":
		return payorder.WithInterval(duration)
	case "maxIntervalMs":
		return payorder.WithMaxInterval(duration)
	case "accessToken":
		return payorder.WithAccessToken(text)
	case "clientKey":
		return payorder.WithClientKey(text)
	case "clientId":
		return payorder.WithClientID(text)
	case "secretKey":
		return payorder.WithSecretKey(text)
	case "resend":
		return payorder.WithResend()
	case "returnUrlField":
		return payorder.WithReturnURLField(text)
	case "concurrency":
		return payorder.WithConcurrency(int(number))
	case "ratePerSecond":
		return payorder.WithRate(number)
	case "state":
		return payorder.WithState(text)
	case "orderId":
		return payorder.WithOrderID(text)
	case "events":
		return payorder.WithEvents()
	case "limit":
		return payorder.WithLimit(int(number))
	case "after":
		return payorder.WithAfter(int64(number))
	case "olderThanDays":
		return payorder.WithOlderThanDays(int(number))
	case "final":
		var texts []string
		for _, one := range value.([]interface{}) {
			texts = append(texts, one.(string))
		}
		return payorder.WithFinal(texts...)
	case "extraFields":
		fields := map[string]string{}
		for name, one := range value.(map[string]interface{}) {
			fields[name] = one.(string)
		}
		return payorder.WithExtraFields(fields)
	}
	panic("the package has no option for " + key)
}
