package history

import (
	"fmt"
	"strings"
)

// ASCII escapes the characters of a JSON text that a database may not take, or
// count otherwise.
func ASCII(text []byte) string {
	var b strings.Builder
	for _, r := range string(text) {
		switch {
		case r < 0x80:
			b.WriteRune(r)
		case r < 0x10000:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			r -= 0x10000
			fmt.Fprintf(&b, `\u%04x\u%04x`, 0xd800+r>>10, 0xdc00+r&0x3ff)
		}
	}
	return b.String()
}
