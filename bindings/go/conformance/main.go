// The Go package's driver of the conformance suite: see bindings/conformance/README.md. It reads
// one step per line, as JSON, and writes one report per line. It uses the package as a program
// does.
package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"reflect"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"payorder.example/payorder"
)

// step is one line of the judge.
type step struct {
	Op           string
	Client       string
	Config       json.RawMessage
	Order        payorder.Order
	Options      map[string]json.RawMessage
	Cancellation string
	Query        payorder.Query
	Queries      []payorder.Query
	At           interface{}
	Then         *step
	On           *bool
	URL          string
	Expected     payorder.Expected
	Status       string
	Do           string
	Thread       string
	Sales        []payorder.Expected
	Credentials  map[string]string
	begun        chan bool // for a step with a thread
}

type report map[string]interface{}

// planted is what the step throw panics with.
const planted = "planted"

// errStop is what the step stop returns from a callback.
var errStop = errors.New("stop")

type cancellation struct {
	ctx    context.Context
	cancel context.CancelFunc
}

var (
	clients, cancellations sync.Map
	threads                = map[string]chan report{}
	events                 = make(chan report, 1000)
)

func main() {
	version, err := payorder.Version()
	if err != nil {
		write(report{"refused": err.Error()})
		os.Exit(1)
	}
	write(report{
		"driver": "go", "language": runtime.Version(), "library": version,
		// The package refuses every library with another version.
		"abi": 1,
		"features": []string{"threads", "started", "exceptions", "gc", "finalizers", "log-in-call",
			"load", "opens", "check"},
		"classes": classes(),
	})
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		var next step
		if err := json.Unmarshal(lines.Bytes(), &next); err != nil {
			panic(fmt.Sprintf("%v: %.300s", err, lines.Bytes()))
		}
		switch {
		case next.Op == "join":
			write(<-threads[next.Thread])
			delete(threads, next.Thread)
		case next.Thread != "":
			ended := make(chan report, 1)
			threads[next.Thread] = ended
			next.begun = make(chan bool, 2)
			go func() {
				ended <- run(&next)
				next.begun <- true
			}()
			<-next.begun
			write(report{"ok": true})
		default:
			write(run(&next))
		}
	}
}

func write(line report) {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(line); err != nil {
		panic(err)
	}
	os.Stdout.Write(text.Bytes())
}

// run performs a step, and reports how it ended.
func run(next *step) (made report) {
	made = report{}
	defer func() {
		if thrown := recover(); thrown != nil {
			if thrown != planted {
				panic(thrown)
			}
			made["ok"], made["thrown"] = false, planted
		}
	}()
	value, err := perform(next, made)
	if err == nil {
		made["ok"], made["value"] = true, reportOf(reflect.ValueOf(value))
	} else {
		var failed *payorder.Error
		if !errors.As(err, &failed) {
			panic(err)
		}
		made["ok"], made["error"] = false, errorReport(failed)
	}
	return made
}

// named is what an earlier step kept under a name.
func named[T any](kept *sync.Map, name string) T {
	value, _ := kept.Load(name)
	return value.(T)
}

func client(next *step) *payorder.Client { return named[*payorder.Client](&clients, next.Client) }

func contextOf(next *step) context.Context {
	ctx := context.Background()
	if next.Cancellation != "" {
		ctx = named[cancellation](&cancellations, next.Cancellation).ctx
	}
	if next.begun != nil {
		ctx = &spy{Context: ctx, begun: next.begun}
	}
	return ctx
}

// spy is a context that says when its call is in the library: the package asks for Done before, and
// again when it waits for the result.
type spy struct {
	context.Context
	asked atomic.Int32
	begun chan bool
}

func (s *spy) Done() <-chan struct{} {
	if s.asked.Add(1) == 2 {
		s.begun <- true
	}
	return s.Context.Done()
}

func perform(next *step, made report) (interface{}, error) {
	switch next.Op {
	case "open":
		opened, err := payorder.NewClientFromJSON(string(next.Config))
		if err == nil {
			clients.Store(next.Client, opened)
		}
		return nil, err
	case "create":
		return client(next).CreateOrder(contextOf(next), next.Order,
			options[payorder.OrderOption](next)...)
	case "status":
		return client(next).GetStatus(contextOf(next), next.Query,
			options[payorder.StatusOption](next)...)
	case "wait":
		return client(next).WaitForPayment(contextOf(next), next.Query,
			options[payorder.WaitOption](next)...)
	case "statuses":
		return statuses(next, made)
	case "journal":
		return journal(next)
	case "check":
		return client(next).Check(contextOf(next), options[payorder.CheckOption](next)...)
	case "recover":
		return client(next).Recover(contextOf(next), next.Sales,
			options[payorder.RecoverOption](next)...)
	case "build":
		if next.Query != (payorder.Query{}) {
			return payorder.BuildGetStatus(next.Query)
		}
		return payorder.BuildCreateOrder(next.Order, options[payorder.BuildOption](next)...)
	case "parse":
		return payorder.ParseReturnURL(next.URL)
	case "verify":
		return payorder.VerifyPaymentJSON(next.Expected, next.Status)
	}
	return performOnObjects(next)
}

func performOnObjects(next *step) (interface{}, error) {
	switch next.Op {
	case "cancellation":
		ctx, cancel := context.WithCancel(context.Background())
		cancellations.Store(next.Cancellation, cancellation{ctx, cancel})
	case "credentials":
		token := payorder.WithAccessToken(next.Credentials["accessToken"])
		return nil, client(next).SetCredentials(token)
	case "shutdown":
		return nil, client(next).Stop()
	case "cancel", "close":
		if next.Cancellation != "" {
			named[cancellation](&cancellations, next.Cancellation).cancel()
		} else if next.Op == "cancel" {
			return nil, client(next).Cancel()
		} else {
			return nil, client(next).Close()
		}
	case "log":
		return nil, listen(next)
	case "events":
		taken := []report{}
		for len(events) > 0 {
			taken = append(taken, <-events)
		}
		return taken, nil
	case "counters":
		live := payorder.Live()
		return report{"clients": live.Clients, "strings": live.Strings, "calls": live.Calls}, nil
	case "collect":
		for i := 0; i < 3; i++ {
			runtime.GC()
			time.Sleep(10 * time.Millisecond) // for the finalizers, which run in another goroutine
		}
	case "forget":
		clients.Delete(next.Client)
	case "throw":
		panic(planted)
	case "stop":
		return nil, errStop
	default:
		panic("unknown step " + next.Op)
	}
	return nil, nil
}

func listen(next *step) error {
	if next.On != nil && !*next.On {
		return client(next).SetLog(nil)
	}
	caller := goroutine()
	return client(next).SetLog(func(_ context.Context, event payorder.LogEvent) {
		made := fieldsOf(reflect.ValueOf(event))
		made["thread"] = "other"
		if goroutine() == caller {
			made["thread"] = "caller"
		}
		events <- made
		if next.Then != nil && event.Event == next.At {
			_, _ = perform(next.Then, report{})
		}
	})
}

// goroutine is the name of the goroutine that runs this. Go has no function for it.
func goroutine() string {
	text := make([]byte, 64)
	return strings.Fields(string(text[:runtime.Stack(text, false)]))[1]
}

func statuses(next *step, made report) (interface{}, error) {
	items, caller := []report{}, goroutine()
	made["items"] = items
	summary, err := client(next).GetStatuses(contextOf(next), next.Queries,
		func(result payorder.StatusResult) error {
			item := fieldsOf(reflect.ValueOf(result))
			item["ok"], item["value"], item["thread"] = result.Err == nil, item["status"], "other"
			if goroutine() == caller {
				item["thread"] = "caller"
			}
			items = append(items, item)
			made["items"] = items
			if next.Then == nil || float64(len(items)-1) != next.At {
				return nil
			}
			_, err := perform(next.Then, report{})
			return err
		}, options[payorder.BatchOption](next)...)
	// The package reports why it stopped, in addition to the summary.
	if errors.Is(err, context.Canceled) || errors.Is(err, payorder.ErrStopped) || err == errStop {
		return summary, nil
	}
	return summary, err
}

func journal(next *step) (interface{}, error) {
	one, ctx := client(next), contextOf(next)
	switch next.Do {
	case "list":
		return one.JournalList(ctx, options[payorder.ListOption](next)...)
	case "resolve":
		resolved, err := one.JournalResolve(ctx, options[payorder.BatchOption](next)...)
		if errors.Is(err, context.Canceled) {
			err = nil
		}
		return resolved, err
	case "settle":
		var entry struct {
			Entry int64
			Note  string
		}
		options, _ := json.Marshal(next.Options)
		parse(options, &entry)
		return one.JournalSettle(ctx, entry.Entry, entry.Note)
	}
	return one.JournalPrune(ctx, options[payorder.PruneOption](next)...)
}
