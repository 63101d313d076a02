package payorder

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
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

func (o object) number(key string) int64 {
	var read int64
	if json.Unmarshal(o[key], &read) != nil {
		return 0
	}
	return read
}

func (o object) isTrue(key string) bool { return string(o[key]) == "true" }

// has says whether the key has a value other than null.
func (o object) has(key string) bool { return o[key] != nil && string(o[key]) != "null" }

func (o object) object(key string) object { return readObject(o[key]) }

func (o object) array(key string) []json.RawMessage {
	var read []json.RawMessage
	if json.Unmarshal(o[key], &read) != nil {
		return nil
	}
	return read
}

func (o object) texts(key string) []string {
	var read []string
	if json.Unmarshal(o[key], &read) != nil {
		return nil
	}
	return read
}

// milliseconds returns a duration, the longest one if the number is larger.
func (o object) milliseconds(key string) time.Duration {
	number := o.number(key)
	if number > math.MaxInt64/int64(time.Millisecond) {
		return math.MaxInt64
	}
	return time.Duration(number) * time.Millisecond
}

// time returns a time such as 2026-11-21T14:05:06.789Z, or the zero time.
func (o object) time(key string) time.Time {
	read, err := time.Parse(time.RFC3339Nano, o.text(key))
	if err != nil {
		return time.Time{}
	}
	return read
}

// members is a JSON object that is written, in the order of its keys.
type members []member

type member struct {
	key   string
	value interface{}
}

// add adds a member, or replaces the one with the same key.
func (m *members) add(key string, value interface{}) {
	for i := range *m {
		if (*m)[i].key == key {
			(*m)[i].value = value
			return
		}
	}
	*m = append(*m, member{key, value})
}

// addText adds a text that is not empty.
func (m *members) addText(key, text string) {
	if text != "" {
		m.add(key, text)
	}
}

// addDuration adds a duration that is not 0, in milliseconds.
func (m *members) addDuration(key string, duration time.Duration) {
	if duration != 0 {
		m.add(key, milliseconds(duration))
	}
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
	var out strings.Builder
	if err := m.write(&out, ""); err != nil {
		return "", err
	}
	return out.String(), nil
}

func (m members) write(out *strings.Builder, path string) error {
	out.WriteByte('{')
	for i, one := range m {
		if i > 0 {
			out.WriteByte(',')
		}
		if err := writeText(out, one.key, path+"the name of a field"); err != nil {
			return err
		}
		out.WriteByte(':')
		if err := writeValue(out, one.value, path+one.key); err != nil {
			return err
		}
	}
	out.WriteByte('}')
	return nil
}

func writeValue(out *strings.Builder, value interface{}, path string) error {
	switch value := value.(type) {
	case string:
		return writeText(out, value, path)
	case members:
		return value.write(out, path+".")
	case []string:
		out.WriteByte('[')
		for i, one := range value {
			if i > 0 {
				out.WriteByte(',')
			}
			if err := writeText(out, one, path); err != nil {
				return err
			}
		}
		out.WriteByte(']')
	case bool:
		out.WriteString(strconv.FormatBool(value))
	case int64:
		out.WriteString(strconv.FormatInt(value, 10))
	case float64:
		if math.IsNaN(value) || math.IsInf(value, 0) {
			return unusableText(CauseInvalidValue, path+" is not a finite number")
		}
		out.WriteString(strconv.FormatFloat(value, 'g', -1, 64))
	default:
		return unusableText(CauseInvalidValue, fmt.Sprintf("%s is a %T", path, value))
	}
	return nil
}

// writeText refuses what encoding/json would silently replace.
func writeText(out *strings.Builder, text, path string) error {
	if err := checkText(text, path); err != nil {
		return err
	}
	var quoted bytes.Buffer
	encoder := json.NewEncoder(&quoted)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(text); err != nil {
		return unusableText(CauseInvalidValue, path+": "+err.Error())
	}
	out.Write(bytes.TrimSuffix(quoted.Bytes(), []byte("\n")))
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
