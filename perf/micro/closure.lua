-- closure.scr in Lua.
local function counter()
    local c = 0
    return function(x)
        c = c + x
        return c
    end
end

local function closure(n)
    local f = counter()
    local r = 0
    for i = 1, n do r = f(1) end
    return r
end

for _ = 1, tonumber(arg and arg[1] or ... or 1) do
    if closure(10000000) ~= 10000000 then error("wrong answer") end
end
print("closure ok")
