import "x"
