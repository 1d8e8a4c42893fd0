-- sieve.scr in Lua.
local function sieve(n)
    local prime = {}
    local count = 0
    for i = 0, n do prime[i] = 1 end
    local i = 2
    while i * i <= n do
        if prime[i] == 1 then
            for j = i * i, n, i do prime[j] = 0 end
        end
        i = i + 1
    end
    for i = 2, n do count = count + prime[i] end
    return count
end

for _ = 1, 3 * tonumber(arg and arg[1] or ... or 1) do
    if sieve(1000000) ~= 78498 then error("wrong answer") end
end
print("sieve ok")
