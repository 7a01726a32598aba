import { script } from "./script.js";

/** Ends one grant: its place is free, and with "give back" its units too. */
export const endScript = script(`
local back, units, id, taken = ARGV[1] == 'give back', tonumber(ARGV[2]), ARGV[3], tonumber(ARGV[4])
local count = (#ARGV - 4) / 6
redis.call('ZREM', KEYS[3], id)
if not back or count == 0 then return 1 end
local state = redis.call('HMGET', KEYS[2], unpack(fieldsOf(count)))
-- What was taken of a state that is gone is gone with it: the one there now is another's.
if not state[1] or taken < tonumber(state[1]) then return 0 end
local now = clock(redis.call('HGET', KEYS[1], 'latest'))
for index = 1, count do
  local at = 5 + (index - 1) * 6
  local limit = limitAt(at, KEYS[3 + index], state[index + 1])
  local numbers, mark = numbersIn(limit.stored), tonumber(ARGV[at + 5])
  if limit.algorithm == 'log' then
    local removed = redis.call('ZREM', limit.key, whole(units) .. ':' .. id)
    if removed == 1 then numbers[1] = numbers[1] - units end
  elseif limit.algorithm == 'sub-windows' then
    local age = numbers[1] - mark
    if age >= 0 and age <= limit.parts then
      numbers[age + 2] = math.max(0, numbers[age + 2] - units)
    end
  else
    local paidOff, moved = numbers[1], numbers[2]
    local isLast = mark == paidOff + moved
    local unpaid = math.min(units * limit.step, (isLast and paidOff or mark - moved) - now)
    -- Beyond 2^52 sums would no longer be exact.
    if unpaid > 0 and (isLast or moved < 4503599627370496) then
      numbers[1] = paidOff - unpaid
      if not isLast then numbers[2] = moved + unpaid end
    end
  end
  redis.call('HSET', KEYS[2], tostring(index), written(numbers))
end
return 1
`);

/** Keeps the places of calls that are still open. */
export const renewScript = script(`
local now, lease = clock(redis.call('HGET', KEYS[1], 'latest')), tonumber(ARGV[1])
for index = 2, #ARGV do redis.call('ZADD', KEYS[2], whole(now + lease), ARGV[index]) end
redis.call('PEXPIRE', KEYS[2], whole(math.ceil(lease / 1000) + 1))
return 1
`);
