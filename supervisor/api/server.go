package api

import "errors"

func asError(err error) *Error {
	if e, ok := errors.AsType[*Error](err); ok {
		return e
	}
	return Errorf(Failed, "%v", err)
}
