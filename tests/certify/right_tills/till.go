// A right till in Go, with a ledger of its own: one line for each thing that happened.
package main

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptrace"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

var (
	orderID = os.Getenv("SALE_ORDER_ID")
	ledger  = filepath.Join(os.Getenv("SALE_FOLDER"), "ledger.txt")
	end     time.Time
	client  *http.Client
)

type answer struct {
	ResponseCode string
	Data         struct {
		URL, OrderID, TransactionStatus, Amount, RefundStatus, RefundType string
	}
}

var errNotSent = errors.New("not sent")

func newClient() (*http.Client, error) {
	config := &tls.Config{}
	if file := os.Getenv("PAYORDER_CA_FILE"); file != "" {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		config.RootCAs = x509.NewCertPool()
		config.RootCAs.AppendCertsFromPEM(text)
	}
	return &http.Client{
		Timeout: 3500 * time.Millisecond,
		// A connection for each request: none is sent again after an old one broke.
		Transport: &http.Transport{TLSClientConfig: config, DisableKeepAlives: true},
		CheckRedirect: func(*http.Request, []*http.Request) error {
			return http.ErrUseLastResponse
		},
	}, nil
}

func post(endpoint string, body map[string]string, headers map[string]string) (int, answer, error) {
	var read answer
	text, _ := json.Marshal(body)
	request, err := http.NewRequest("POST", os.Getenv("PAYORDER_BASE_URL")+"/api/v1/Gateway/"+endpoint,
		bytes.NewReader(text))
	if err != nil {
		return 0, read, errNotSent
	}
	connected := false
	trace := &httptrace.ClientTrace{GotConn: func(httptrace.GotConnInfo) { connected = true }}
	request = request.WithContext(httptrace.WithClientTrace(request.Context(), trace))
	request.Header.Set("Content-Type", "application/json")
	for name, value := range headers {
		request.Header.Set(name, value)
	}
	response, err := client.Do(request)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		if !connected {
			return 0, read, errNotSent
		}
		return 0, read, err
	}
	defer response.Body.Close()
	all, err := io.ReadAll(response.Body)
	if err != nil {
		return 0, read, err
	}
	if json.Unmarshal(all, &read) != nil {
		read = answer{}
	}
	return response.StatusCode, read, nil
}

// The last thing that the ledger says; empty if it knows nothing.
func recall() string {
	text, err := os.ReadFile(ledger)
	if err != nil {
		return ""
	}
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	return lines[len(lines)-1]
}

func remember(what string) string {
	file, err := os.OpenFile(ledger, os.O_APPEND|os.O_WRONLY, 0o600)
	if err == nil {
		fmt.Fprintln(file, what)
		file.Sync()
		file.Close()
	}
	return what
}

func isRefusal(code string) bool {
	return code == "400" || code == "401" || code == "422" || code == "429"
}

func create() string {
	status, read, err := post("CreateOrder", map[string]string{
		"amount": os.Getenv("SALE_AMOUNT"), "merchantTxnId": orderID, "orderId": orderID,
		"payMode": "all", "merchantId": os.Getenv("SALE_MERCHANT_ID"),
		"productInfo":    os.Getenv("SALE_PRODUCT"),
		"customerName":   os.Getenv("SALE_CUSTOMER_NAME"),
		"customerMobile": os.Getenv("SALE_CUSTOMER_MOBILE"),
		"customerEmail":  os.Getenv("SALE_CUSTOMER_EMAIL"),
		"redirectionURL": os.Getenv("SALE_RETURN_URL"),
		"currencyCode":   os.Getenv("SALE_CURRENCY"),
	}, map[string]string{"ACCESS-TOKEN": os.Getenv("PAYORDER_ACCESS_TOKEN")})
	url := read.Data.URL
	web := strings.HasPrefix(url, "https://") || strings.HasPrefix(url, "http://")
	switch {
	case errors.Is(err, errNotSent):
		os.Remove(ledger)
		return "not_sent"
	case err != nil:
		return "sending"
	case status == 200 && read.ResponseCode == "200" && web:
		return remember("created " + url)
	case status == 409:
		return remember("another till's")
	case (status == 200 || isRefusal(strconv.Itoa(status))) && isRefusal(read.ResponseCode) && url == "":
		return remember("rejected")
	}
	return "sending"
}

func isPaid() bool {
	status, read, err := post("GetStatus", map[string]string{"searchType": "1", "orderId": orderID},
		map[string]string{
			"X-CLIENT-KEY": os.Getenv("PAYORDER_CLIENT_KEY"),
			"X-CLIENT-ID":  os.Getenv("PAYORDER_CLIENT_ID"),
			"X-SECRET-KEY": os.Getenv("PAYORDER_SECRET_KEY"),
		})
	if status == 429 {
		time.Sleep(1100 * time.Millisecond)
	}
	return err == nil && status == 200 && read.ResponseCode == "200" &&
		read.Data.OrderID == orderID && read.Data.TransactionStatus == "Completed" &&
		read.Data.Amount == os.Getenv("SALE_AMOUNT") &&
		read.Data.RefundStatus == "" && read.Data.RefundType == ""
}

func sell() string {
	// Only one process creates the ledger, and so the order.
	file, err := os.OpenFile(ledger, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	known := ""
	if err == nil {
		fmt.Fprintln(file, "sending")
		file.Sync()
		file.Close()
		known = create()
	} else {
		known = recall()
	}
	url := strings.TrimPrefix(known, "created ")
	created := url != known
	switch {
	case known == "not_sent" || known == "rejected":
		return known
	case known == "another till's":
		return "open"
	case created:
		fmt.Println("please pay at " + url)
	}
	for !isPaid() {
		if !created || time.Until(end) < time.Second {
			return "open"
		}
		time.Sleep(400 * time.Millisecond)
	}
	return "paid"
}

func main() {
	seconds, _ := strconv.ParseFloat(os.Getenv("SALE_SECONDS"), 64)
	end = time.Now().Add(time.Duration(seconds * 0.75 * float64(time.Second)))
	var err error
	client, err = newClient()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		fmt.Println(`{"verdict":"not_sent"}`)
		return
	}
	fmt.Printf("{\"verdict\":%q}\n", sell())
}
