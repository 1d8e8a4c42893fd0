-- string.scr in Lua.
local function codes(n)
    local s = "the quick brown fox jumps over the lazy dog"
    local h, k = 0, 0
    for i = 1, n do
        h = h + s:byte(k + 1)
        k = k + 1
        if k == 32 then k = 0 end
    end
    return h
end

for _ = 1, tonumber(arg and arg[1] or ... or 1) do
    if codes(10000000) ~= 955625000 then error("wrong answer") end
end
print("string ok")
