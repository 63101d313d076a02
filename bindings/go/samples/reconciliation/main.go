// A nightly reconciliation: asks for the status of every order in a CSV file with the columns order
// id and amount, without a heading line, and prints a verdict for each.
//
//	reconciliation ORDERS.CSV
//
// The exit status is 0 if every order is paid as expected, otherwise 2.
package main

import (
	"context"
	"encoding/csv"
	"fmt"
	"os"
	"strings"
	"time"

	"payorder.example/payorder"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: reconciliation ORDERS.CSV")
		os.Exit(1)
	}
	orders, err := read(os.Args[1])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	client, err := payorder.NewClientFromEnv(payorder.Config{})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	defer client.Close()
	if !reconcile(client, orders) {
		os.Exit(2)
	}
}

func read(path string) ([]payorder.Expected, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	withoutMark := strings.TrimPrefix(string(text), "\ufeff") // a byte-order mark
	rows, err := csv.NewReader(strings.NewReader(withoutMark)).ReadAll()
	if err != nil {
		return nil, err
	}
	var orders []payorder.Expected
	for i, row := range rows {
		if len(row) != 2 {
			return nil, fmt.Errorf("row %d: needs an order id and an amount", i+1)
		}
		orders = append(orders, payorder.Expected{OrderID: row[0], Amount: row[1]})
	}
	if len(orders) == 0 {
		return nil, fmt.Errorf("no orders in %s", path)
	}
	return orders, nil
}

func reconcile(client *payorder.Client, orders []payorder.Expected) bool {
	var queries []payorder.Query
	for _, order := range orders {
		queries = append(queries, payorder.ByOrderID(order.OrderID))
	}
	matched := 0
	summary, err := client.GetStatuses(context.Background(), queries,
		func(result payorder.StatusResult) error {
			expected := orders[result.Index]
			verdict := verdictOf(expected, result)
			if verdict == "matched" {
				matched++
			}
			fmt.Printf("%s,%s,%s\n", expected.OrderID, expected.Amount, verdict)
			return nil
		}, payorder.WithConcurrency(16), payorder.WithRate(200),
		payorder.WithTimeout(10*time.Second))
	if err != nil {
		fmt.Fprintln(os.Stderr, "the reconciliation is not complete:", err)
		return false
	}
	fmt.Fprintf(os.Stderr, "%d of %d orders matched\n", matched, summary.Asked)
	return matched == len(orders)
}

func verdictOf(expected payorder.Expected, result payorder.StatusResult) string {
	if result.Err != nil {
		return "no status"
	}
	payment, err := payorder.VerifyPayment(expected, result.Status)
	switch {
	case err != nil:
		return "cannot be checked"
	case payment.Paid:
		return "matched"
	}
	// Money may have moved all the same: a person looks at it.
	return "differs: " + payment.Reasons[0].Check
}
