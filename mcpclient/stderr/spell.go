package stderr

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"html"
	"net/url"
	"strings"
	"unicode"
	"unicode/utf16"

	"github.com/go-json-experiment/json/jsontext"
)

// spellings returns a secret as it is, as Clean leaves it, and as it looks
// inside JSON, a URL, HTML, base64 and hexadecimal digits. A form may be there
// more than once.
func spellings(secret string) []string {
	all := []string{secret, Clean(secret), hex.EncodeToString([]byte(secret)), strings.ToUpper(hex.EncodeToString([]byte(secret)))}
	all = append(all, jsonForms(secret)...)
	all = append(all, urlForms(secret)...)
	quoted := html.EscapeString(secret)
	all = append(all, quoted, strings.NewReplacer("&#34;", "&quot;", "&#39;", "&#x27;").Replace(quoted))
	for _, alphabet := range []*base64.Encoding{base64.StdEncoding, base64.URLEncoding} {
		all = append(all, base64Forms(secret, alphabet)...)
	}
	return all
}

// jsonForms are what is inside the quotes, as different libraries write it, and
// the same inside another string of JSON.
func jsonForms(secret string) []string {
	inside := func(s string) string {
		b, _ := jsontext.AppendQuote(nil, s) // its error only says that invalid UTF-8 was replaced
		return string(b[1 : len(b)-1])
	}
	goes, _ := json.Marshal(secret) // Go escapes more than others do; a string always encodes
	plain := inside(secret)
	lower, upper := ascii(plain, `\u%04x`), ascii(plain, `\u%04X`)
	all := []string{plain, string(goes[1 : len(goes)-1]), lower, upper}
	for _, form := range []string{plain, lower} {
		all = append(all, strings.ReplaceAll(form, "/", `\/`))
	}
	for _, form := range all {
		all = append(all, inside(form))
	}
	return all
}

// ascii escapes what is not ASCII.
func ascii(s, format string) string {
	var b strings.Builder
	for _, r := range s {
		if r <= unicode.MaxASCII {
			b.WriteRune(r)
			continue
		}
		for _, unit := range utf16.AppendRune(nil, r) {
			fmt.Fprintf(&b, format, unit)
		}
	}
	return b.String()
}

// urlForms differ in what they leave as it is, and in the case of their digits.
func urlForms(secret string) []string {
	query := url.QueryEscape(secret)
	component := strings.NewReplacer("+", "%20", "%21", "!", "%27", "'", "%28", "(", "%29", ")", "%2A", "*").Replace(query)
	all := []string{query, url.PathEscape(secret), component}
	for _, form := range all {
		all = append(all, lowerDigits(form))
	}
	return all
}

func lowerDigits(form string) string {
	b := []byte(form)
	for i := 0; i+2 < len(b); i++ {
		if b[i] == '%' {
			copy(b[i+1:i+3], strings.ToLower(form[i+1:i+3]))
		}
	}
	return string(b)
}

// base64Forms are the secret alone, and what shows of it wherever it stands in
// something longer, such as NAME:SECRET: the characters that it decides alone.
func base64Forms(secret string, alphabet *base64.Encoding) []string {
	const few = 8 // characters; fewer would be found where there is no secret
	all := []string{alphabet.EncodeToString([]byte(secret)), alphabet.WithPadding(base64.NoPadding).EncodeToString([]byte(secret))}
	for before := range 3 {
		text := alphabet.WithPadding(base64.NoPadding).EncodeToString([]byte("\x00\x00\x00"[:before] + secret))
		from, to := (before*8+5)/6, (before+len(secret))*8/6
		if to-from >= few {
			all = append(all, text[from:to])
		}
	}
	return all
}
