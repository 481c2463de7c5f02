package suggestion

import (
	"context"
	"fmt"
	"log/slog"

	"github.com/c-bata/goptuna"
)

var _ goptuna.Logger = logger{}

// logger is a logger of Goptuna's that writes to another one.
type logger struct{ *slog.Logger }

func (l logger) Debug(msg string, fields ...any) { l.write(slog.LevelDebug, msg, fields) }
func (l logger) Info(msg string, fields ...any)  { l.write(slog.LevelInfo, msg, fields) }
func (l logger) Warn(msg string, fields ...any)  { l.write(slog.LevelWarn, msg, fields) }
func (l logger) Error(msg string, fields ...any) { l.write(slog.LevelError, msg, fields) }

func (l logger) write(level slog.Level, msg string, fields []any) {
	if len(fields) > 0 {
		l.Log(context.Background(), level, msg, "detail", fmt.Sprint(fields...))
		return
	}
	l.Log(context.Background(), level, msg)
}
