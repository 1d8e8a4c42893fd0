require("x")
