-- property.scr in Lua.
local Particle = {}
Particle.__index = Particle

function Particle.new()
    return setmetatable({ x = 0, y = 0, z = 0, w = 0 }, Particle)
end

function Particle:step(d)
    self.x = self.x + d
    self.y = self.y + 1
    return self.x
end

local function property(n)
    local p = Particle.new()
    local s = 0
    for i = 1, n do
        p.z = p.z + 1
        p.w = p.x
        s = p:step(1)
    end
    return s + p.y + p.z + p.w
end

for _ = 1, tonumber(arg and arg[1] or ... or 1) do
    if property(5000000) ~= 19999999 then error("wrong answer") end
end
print("property ok")
