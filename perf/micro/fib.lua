-- fib.scr in Lua.
local function fib(n)
    if n < 2 then return n end
    return fib(n - 1) + fib(n - 2)
end

for _ = 1, tonumber(arg and arg[1] or ... or 1) do
    if fib(32) ~= 2178309 then error("wrong answer") end
end
print("fib ok")
