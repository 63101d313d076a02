//go:build cgo

package payorder

import (
	"encoding/json"
	"math"
	"reflect"
	"sort"
	"strings"
	"time"
	"unicode/utf8"
)

// object is a JSON object that is read. Its keys are compared exactly: encoding/json would also
// take "URL" for "url", and a field that a service adds must not replace another one.
type object map[string]json.RawMessage

func readObject(raw []byte) object {
	var read object
	if json.Unmarshal(raw, &read) != nil {
		return nil
	}
	return read
}

// text returns a string, or "" if there is none.
func (o object) text(key string) string {
	var read string
	if json.Unmarshal(o[key], &read) != nil {
		return ""
	}
	return read
}

func (o object) isTrue(key string) bool { return string(o[key]) == "true" }

// has says whether the key has a value other than null.
func (o object) has(key string) bool { return o[key] != nil && string(o[key]) != "null" }

func (o object) object(key string) object { return readObject(o[key]) }

// read makes an object of what a call returned.
func read[T any](text string, err error) (*T, error) {
	if err != nil {
		return nil, err
	}
	result := new(T)
	fill([]byte(text), result)
	return result, nil
}

// fill reads an object into the fields of a struct, and its text into the field JSON. A field whose
// key is missing, or has a value of another type, keeps its zero value.
func fill(raw []byte, target interface{}) object {
	read, fields := readObject(raw), reflect.ValueOf(target).Elem()
	for i := 0; i < fields.NumField(); i++ {
		field := fields.Type().Field(i)
		if key := keyOf(field); key != "" && read.has(key) {
			fillValue(read[key], fields.Field(i))
		} else if field.Name == "JSON" {
			fields.Field(i).SetString(string(raw))
		}
	}
	return read
}

// keyOf returns the key of a field: that of its tag, with Ms for a duration; "" if it has none. A
// field that json.Marshal must not show has a tag of its own.
func keyOf(field reflect.StructField) string {
	key := field.Tag.Get("key")
	if key == "" {
		key = strings.TrimPrefix(strings.Split(field.Tag.Get("json"), ",")[0], "-")
	}
	if key == "" {
		return ""
	}
	switch field.Type {
	case reflect.TypeOf(time.Duration(0)), reflect.TypeOf((*time.Duration)(nil)):
		return key + "Ms"
	}
	return key
}

func fillValue(raw json.RawMessage, value reflect.Value) {
	switch target := value.Addr().Interface().(type) {
	case *time.Duration:
		*target = duration(raw)
	case **Status:
		*target = readStatus(string(raw))
	case **Query, **JournalEntry, **Summary:
		value.Set(reflect.New(value.Type().Elem()))
		fill(raw, value.Interface())
	case *Query:
		fill(raw, target)
	case *[]Violation, *[]Reason, *[]JournalEntry, *[]JournalEvent, *[]RecoveredSale,
		*[]CheckStep:
		var elements []json.RawMessage
		_ = json.Unmarshal(raw, &elements)
		value.Set(reflect.MakeSlice(value.Type(), len(elements), len(elements)))
		for i, element := range elements {
			fill(element, value.Index(i).Addr().Interface())
		}
	default:
		// After an error, the value is still the zero value.
		_ = json.Unmarshal(raw, target)
	}
}

// duration reads milliseconds: the longest duration if the number is larger.
func duration(raw json.RawMessage) time.Duration {
	var number int64
	_ = json.Unmarshal(raw, &number)
	if number > math.MaxInt64/int64(time.Millisecond) {
		return math.MaxInt64
	}
	return time.Duration(number) * time.Millisecond
}

// members is a JSON object that is written.
type members map[string]interface{}

// membersOf returns the fields of a struct that have a key. A zero value is left out, but not what
// a pointer points to.
func membersOf(given interface{}) members {
	m, fields := members{}, reflect.ValueOf(given)
	for i := 0; i < fields.NumField(); i++ {
		key, value := keyOf(fields.Type().Field(i)), fields.Field(i)
		if key == "" || value.IsZero() {
			continue
		}
		switch given := reflect.Indirect(value).Interface().(type) {
		case time.Duration:
			m[key] = milliseconds(given)
		case TLS:
			m[key] = membersOf(given)
		case map[string]string:
			m[key] = membersOfMap(given)
		default:
			m[key] = given
		}
	}
	return m
}

// milliseconds rounds up: a shorter limit than 1 ms must not become 0.
func milliseconds(duration time.Duration) int64 {
	whole := int64(duration / time.Millisecond)
	if duration%time.Millisecond > 0 {
		whole++
	}
	return whole
}

// json returns the text, or an error if a text has no UTF-8 form or contains a NUL.
func (m members) json() (string, error) {
	if err := m.check(""); err != nil {
		return "", err
	}
	var out strings.Builder
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(m); err != nil {
		return "", unusableText(CauseInvalidValue, err.Error())
	}
	return strings.TrimSuffix(out.String(), "\n"), nil
}

// arrayOf returns the text of an array of these.
func arrayOf(texts []string) string { return "[" + strings.Join(texts, ",") + "]" }

// check refuses what encoding/json would silently replace, and what it cannot write.
func (m members) check(path string) error {
	keys := make([]string, 0, len(m))
	for key := range m {
		keys = append(keys, key)
	}
	// The error names the same field each time.
	sort.Strings(keys)
	for _, key := range keys {
		err := checkText(key, path+"the name of a field")
		if err == nil {
			err = checkValue(m[key], path+key)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func checkValue(value interface{}, path string) error {
	switch value := value.(type) {
	case string:
		return checkText(value, path)
	case []string:
		for _, one := range value {
			if err := checkText(one, path); err != nil {
				return err
			}
		}
	case members:
		return value.check(path + ".")
	case float64:
		if math.IsNaN(value) || math.IsInf(value, 0) {
			return unusableText(CauseInvalidValue, path+" is not a finite number")
		}
	}
	return nil
}

func checkText(text, path string) error {
	if !utf8.ValidString(text) {
		return unusableText(CauseNotUTF8, path+" is not UTF-8")
	}
	if strings.IndexByte(text, 0) >= 0 {
		return unusableText(CauseInvalidValue, path+" contains a NUL character")
	}
	return nil
}
