-- mandelbrot.scr in Lua.
local function mandelbrot(width)
    local count = 0
    for y = 0, width - 1 do
        for x = 0, width - 1 do
            local cr = 2.0 * x / width - 1.5
            local ci = 2.0 * y / width - 1
            local zr, zi, i = 0.0, 0.0, 0
            while i < 50 and zr * zr + zi * zi <= 4 do
                local t = zr * zr - zi * zi + cr
                zi = 2 * zr * zi + ci
                zr = t
                i = i + 1
            end
            count = count + i
        end
    end
    return count
end

for _ = 1, tonumber(arg and arg[1] or ... or 1) do
    if mandelbrot(300) ~= 2196322 then error("wrong answer") end
end
print("mandelbrot ok")
