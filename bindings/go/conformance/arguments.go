package main

import (
	"encoding/json"
	"reflect"
	"time"
)

// options turns the keys of the C interface into the options of a call.
func options[T any](next *step) []T {
	var given []T
	for key, text := range next.Options {
		option := reflect.ValueOf(optionsByKey[key])
		var arguments []reflect.Value
		if option.Type().NumIn() == 1 {
			argument := reflect.New(option.Type().In(0))
			parse(text, argument.Interface())
			if duration, ok := argument.Interface().(*time.Duration); ok {
				*duration *= time.Duration(time.Millisecond)
			}
			arguments = append(arguments, argument.Elem())
		}
		call := option.Call
		if option.Type().IsVariadic() {
			call = option.CallSlice
		}
		given = append(given, call(arguments)[0].Interface().(T))
	}
	return given
}

func parse(text json.RawMessage, target interface{}) {
	if err := json.Unmarshal(text, target); err != nil {
		panic(err)
	}
}
