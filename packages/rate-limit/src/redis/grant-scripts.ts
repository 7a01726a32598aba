import { script } from "./script.js";

/** Ends one grant: its place is free, and with "give back" its units too. */
export const endScript = script(`
local back, id, units = ARGV[1] == 'give back', ARGV[2], tonumber(ARGV[3])
local count = (#ARGV - 3) / 5
redis.call('ZREM', KEYS[3], id)
if count == 0 then return 1 end
local state = redis.call('HMGET', KEYS[2], unpack(fieldsOf(count, id)))
-- None: it ended before, was forgotten, or was taken of a state that is gone, and what is there is another's.
local grant = state[1] and state[1] ~= ended and numbersIn(state[1])
local values = grant and { id, ended } or {}
local now = back and clock(redis.call('HGET', KEYS[1], 'latest'))
for index = 1, back and count or 0 do
  local limit = limitAt(4 + (index - 1) * 5, KEYS[3 + index], state[index + 1])
  local numbers, mark = numbersIn(limit.stored), grant and grant[index + 2]
  local changed = false
  if limit.algorithm == 'log' then
    changed = limit.stored and redis.call('ZREM', limit.key, memberOf(units, id)) == 1
    if changed then numbers[1] = numbers[1] - units end
  elseif mark and limit.algorithm == 'sub-windows' then
    local age = numbers[1] - mark
    changed = age >= 0 and age <= limit.parts
    if changed then numbers[age + 2] = math.max(0, numbers[age + 2] - units) end
  elseif mark then
    local paidOff, moved = numbers[1], numbers[2]
    local isLast = mark == paidOff + moved
    local unpaid = math.min(units * limit.step, (isLast and paidOff or mark - moved) - now)
    -- Beyond 2^52 sums would no longer be exact.
    changed = unpaid > 0 and (isLast or moved < 4503599627370496)
    if changed then
      numbers[1] = paidOff - unpaid
      if not isLast then numbers[2] = moved + unpaid end
    end
  end
  if changed then
    values[#values + 1] = tostring(index)
    values[#values + 1] = written(numbers)
  end
end
if #values > 0 then redis.call('HSET', KEYS[2], unpack(values)) end
return 1
`);

/** Keeps the places of calls that are still open. */
export const renewScript = script(`
local now, lease = clock(redis.call('HGET', KEYS[1], 'latest')), tonumber(ARGV[1])
for index = 2, #ARGV do redis.call('ZADD', KEYS[2], whole(now + lease), ARGV[index]) end
keepFor(KEYS[2], math.ceil(lease / 1000) + 1)
return 1
`);
