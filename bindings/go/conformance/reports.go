package main

import (
	"errors"
	"reflect"
	"strings"
	"time"

	"payorder.example/payorder"
)

// sentinels are what a program compares errors with, under the names of the suite. It compares with
// the results too.
var sentinels = []struct {
	name  string
	value error
	class string
}{
	{"not_sent", payorder.ErrNotSent, "ErrNotSent"},
	{"rejected", payorder.ErrRejected, "ErrRejected"},
	{"unknown", payorder.ErrOutcomeUnknown, "ErrOutcomeUnknown"},
	{"unusable", payorder.ErrUnusable, "ErrUnusable"},
}

func results() []payorder.Result {
	var known []payorder.Result
	for one := payorder.ResultInvalidArgument; one < 300; one++ {
		if one.String() != "PAYORDER_UNRECOGNISED" {
			known = append(known, one)
		}
	}
	return known
}

func classes() map[string]string {
	named := map[string]string{}
	for _, one := range results() {
		named[one.String()] = one.String()
	}
	for _, one := range sentinels {
		named[one.name] = one.class
	}
	return named
}

// classOf finds the outcome and the result with errors.Is, as a program does.
func classOf(err error) (caught, class string) {
	for _, one := range results() {
		if errors.Is(err, one) {
			class = one.String()
		}
	}
	for _, one := range sentinels {
		if errors.Is(err, one.value) {
			caught = one.name
		}
	}
	if caught == "unusable" {
		class = "ErrUnusable"
	}
	return caught, class
}

// reportOf turns an object of the package into a report: each field under its key.
func reportOf(value reflect.Value) interface{} {
	if !value.IsValid() {
		return nil
	}
	switch given := value.Interface().(type) {
	case *payorder.Error:
		if given != nil {
			return errorReport(given)
		}
	case time.Duration:
		return given.Milliseconds()
	case payorder.Result:
		return int(given)
	}
	switch value.Kind() {
	case reflect.Ptr, reflect.Interface:
		return reportOf(value.Elem())
	case reflect.Slice:
		made := []interface{}{}
		for i := 0; i < value.Len(); i++ {
			made = append(made, reportOf(value.Index(i)))
		}
		return made
	case reflect.Struct:
		return fieldsOf(value)
	}
	return value.Interface()
}

func fieldsOf(value reflect.Value) report {
	made := report{}
	for i := 0; i < value.NumField(); i++ {
		field, one := value.Type().Field(i), value.Field(i)
		key := strings.Split(field.Tag.Get("json"), ",")[0]
		switch {
		case !field.IsExported():
			continue
		case field.Name == "JSON" && value.Type() != reflect.TypeOf(payorder.Status{}):
			continue
		case field.Name == "JSON":
			key = "raw"
		case key == "-":
			key = field.Tag.Get("key")
		case key == "err":
			key = "error"
		case one.IsZero() && missing(field):
			continue
		case field.Type == reflect.TypeOf(time.Duration(0)):
			key += "Ms"
		}
		made[key] = reportOf(one)
	}
	return made
}

// missing says whether the zero value means that there is none. A time and a result can be 0.
func missing(field reflect.StructField) bool {
	switch field.Name {
	case "Date":
		return true
	case "Elapsed", "Result":
		return false
	}
	return strings.HasSuffix(field.Tag.Get("json"), ",omitempty")
}

func errorReport(failed *payorder.Error) report {
	made := fieldsOf(reflect.ValueOf(failed).Elem())
	made["caught"], made["class"] = classOf(failed)
	return made
}
