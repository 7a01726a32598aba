import { script } from "./script.js";

/** Decides on one call: takes from every limit and a place, or nothing. With "peek" it takes nothing. */
export const reserveScript = script(`
local peek = ARGV[1] == 'peek'
local units, id = tonumber(ARGV[2]), ARGV[3]
local known, knownWrites, knownOwn = ARGV[4], tonumber(ARGV[5]), tonumber(ARGV[6])
local hold, debt = tonumber(ARGV[7]), tonumber(ARGV[8])
local concurrency, lease, kept = tonumber(ARGV[9]), tonumber(ARGV[10]), tonumber(ARGV[11])
local count = (#ARGV - 11) / 5
local ownField = 'by:' .. string.match(id, '^[^:]*')
local markerKey, stateKey, openKey, countedKey = KEYS[1], KEYS[2], KEYS[3], KEYS[#KEYS]

local marker =
  redis.call('HMGET', markerKey, 'generation', 'writes', 'latest', 'doubt', 'counted', ownField)
local now, real = clock(marker[3])
local generation = marker[1]
local writes, doubt = tonumber(marker[2] or 0), tonumber(marker[4] or 0)
local own = numbersIn(marker[6])[1] or 0
local changed = false

local function bornOf(generation_) return tonumber(string.match(generation_, '^(%d+)/') or 0) end

local function lose(until_)
  if until_ > doubt then doubt, changed = until_, true end
end
if known ~= '' then
  if known ~= generation then
    -- What was granted before the server began anew is over one window later. A server that went
    -- back to what it was before may have granted until now.
    local isNewer = generation and bornOf(generation) > bornOf(known)
    lose((isNewer and bornOf(generation) or now) + hold)
  elseif writes < knownWrites or own < knownOwn then lose(now + hold) end
end

local debtId = id .. '+'
local state = redis.call('HMGET', stateKey, unpack(fieldsOf(count, id, debtId)))
local before, debtBefore = state[1], state[2]
local limits, grants, cleaned = {}, {}, false

-- What the server keeps says of each other that it is there. Where it is not, it was evicted or
-- deleted, and what it granted is no longer known. It is found once: what is left starts anew.
local isThere = false
for index = 1, count do isThere = isThere or state[index + 2] end
local counted = redis.call('ZCARD', countedKey)
if not generation then
  generation = whole(now) .. '/' .. id
  if isThere or counted > 0 then lose(now + hold) end
elseif counted ~= tonumber(marker[5] or 0) then
  lose(now + hold)
end
if not isThere and count > 0 then
  local until_ = tonumber(redis.call('ZSCORE', countedKey, stateKey) or 0)
  if until_ > real then lose(now + hold) end
end

local function read(limit)
  local numbers = numbersIn(limit.stored)
  if limit.algorithm == 'log' then
    limit.used = numbers[1] or 0
    local ended, held = whole(now - limit.window), redis.call('ZCARD', limit.key)
    if (held == 0) ~= (limit.used == 0) then
      lose(now + hold)
      redis.call('DEL', limit.key)
      limit.used, cleaned = 0, true
      return
    end
    if held == 0 then return end
    local freed = 0
    if held == limit.used then
      freed = redis.call('ZREMRANGEBYSCORE', limit.key, '-inf', ended)
    else
      for _, member in ipairs(redis.call('ZRANGEBYSCORE', limit.key, '-inf', ended)) do
        freed = freed + tonumber(string.match(member, '^%d+'))
      end
      redis.call('ZREMRANGEBYSCORE', limit.key, '-inf', ended)
    end
    limit.used = limit.used - freed
    cleaned = cleaned or freed > 0
  elseif limit.algorithm == 'sub-windows' then
    local part = math.floor(now / limit.step)
    local newest = numbers[1] or part
    if part < newest then part = newest end
    local passed = part - newest
    limit.newest, limit.used, limit.counts = part, 0, {}
    for age = 0, limit.parts do
      local units_ = age >= passed and numbers[age - passed + 2] or 0
      limit.counts[age + 1] = units_
      limit.used = limit.used + units_
    end
  else
    limit.paidOff, limit.moved = math.max(numbers[1] or 0, now), numbers[2] or 0
  end
end

local function wait(limit)
  if limit.algorithm == 'gcra' then
    return limit.paidOff + units * limit.step - now - limit.most * limit.step
  end
  local excess = limit.used + units - limit.most
  if excess <= 0 then return 0 end
  if limit.algorithm == 'log' then
    local freed, last = 0, now
    local oldest = redis.call('ZRANGE', limit.key, 0, 31, 'WITHSCORES')
    for at = 1, #oldest, 2 do
      freed, last = freed + tonumber(string.match(oldest[at], '^%d+')), tonumber(oldest[at + 1])
      if freed >= excess then break end
    end
    return math.max(1, last + limit.window - now)
  end
  local age = limit.parts + 1
  while excess > 0 and age > 0 do
    age = age - 1
    excess = excess - limit.counts[age + 1]
  end
  return (limit.newest - age + limit.parts + 1) * limit.step - now
end

local function take(limit, taken, name)
  if limit.algorithm == 'log' then
    local isNew = taken == 0 or redis.call('ZADD', limit.key, whole(now), memberOf(taken, name)) == 1
    if isNew then limit.used = limit.used + taken end
    return 0
  elseif limit.algorithm == 'sub-windows' then
    limit.counts[1] = limit.counts[1] + taken
    limit.used = limit.used + taken
    return limit.newest
  end
  limit.paidOff = limit.paidOff + taken * limit.step
  return limit.paidOff + limit.moved
end

local function takeAll(taken, name)
  local grant = { now, taken }
  for index, limit in ipairs(limits) do grant[index + 2] = take(limit, taken, name) end
  if count > 0 and taken > 0 then grants = { name, written(grant) } end
end

-- Those that ended go first, then the oldest. Rare enough to cost a grant next to nothing.
local function forgetGrants()
  if redis.call('HLEN', stateKey) <= 2 * kept + count + 16 then return end
  local fields, times, gone = redis.call('HGETALL', stateKey), {}, {}
  for at = 1, #fields, 2 do
    if fields[at + 1] == ended then gone[#gone + 1] = fields[at]
    elseif string.find(fields[at], ':', 1, true) then
      times[#times + 1] = tonumber(string.match(fields[at + 1], '^%d+'))
    end
  end
  table.sort(times)
  local excess = #times - kept
  local latest, ties = times[excess], 0
  while times[excess - ties] == latest and ties < excess do ties = ties + 1 end
  for at = 1, #fields, 2 do
    if excess > 0 and fields[at + 1] ~= ended and string.find(fields[at], ':', 1, true) then
      local time = tonumber(string.match(fields[at + 1], '^%d+'))
      -- All that are older, and of those of one instant no more than there are too many.
      if time < latest or (time == latest and ties > 0) then
        gone[#gone + 1] = fields[at]
        if time == latest then ties = ties - 1 end
      end
    end
  end
  redis.call('HDEL', stateKey, unpack(gone))
end

-- Those of which nothing counts any more, when there are many and one more comes.
local function forgetProcesses()
  if marker[6] or redis.call('HLEN', markerKey) < 1000 then return end
  local fields, gone = redis.call('HGETALL', markerKey), {}
  for at = 1, #fields, 2 do
    local isOver = string.sub(fields[at], 1, 3) == 'by:' and numbersIn(fields[at + 1])[2] < now
    if isOver and #gone < 1000 then gone[#gone + 1] = fields[at] end
  end
  if #gone > 0 then redis.call('HDEL', markerKey, unpack(gone)) end
end

local ttl = hold
local function keep(took)
  local values = grants
  grants = {}
  for index, limit in ipairs(limits) do
    local numbers
    if limit.algorithm == 'log' then numbers = { limit.used }
    elseif limit.algorithm == 'gcra' then
      numbers = { limit.paidOff, limit.moved }
      ttl = math.max(ttl, limit.paidOff - now)
    else
      numbers = { limit.newest }
      for age = 0, limit.parts do numbers[age + 2] = limit.counts[age + 1] end
    end
    values[#values + 1] = tostring(index)
    values[#values + 1] = written(numbers)
  end
  if #values > 0 then redis.call('HSET', stateKey, unpack(values)) end
  cleaned = false
  if not took then return end
  local ms = whole(math.ceil(ttl / 1000) + 1)
  forgetGrants()
  redis.call('PEXPIRE', stateKey, ms)
  if count > 0 then
    redis.call('ZREMRANGEBYSCORE', countedKey, '-inf', whole(real))
    redis.call('ZADD', countedKey, whole(real + ttl), stateKey)
    isThere = true
  end
  for _, limit in ipairs(limits) do
    if limit.algorithm == 'log' then redis.call('PEXPIRE', limit.key, ms) end
  end
  forgetProcesses()
  writes, own, changed = writes + 1, own + 1, true
  redis.call('HSET', markerKey, ownField, whole(own) .. ' ' .. whole(now + hold))
end

local function answer(...)
  -- What was forgotten at this time must not be asked for at an earlier one.
  if cleaned then
    keep(false)
    if not isThere then redis.call('PEXPIRE', stateKey, whole(math.ceil(hold / 1000) + 1)) end
    changed = true
  end
  if changed then
    if now < doubt and not isThere then redis.call('ZREM', countedKey, stateKey) end
    redis.call('HSET', markerKey, 'generation', generation, 'writes', whole(writes),
      'latest', whole(now), 'doubt', whole(doubt),
      'counted', whole(redis.call('ZCARD', countedKey)))
    local ms = math.ceil(math.max(ttl, hold) / 1000) * 2 + 60000
    keepFor(markerKey, ms)
    keepFor(countedKey, ms)
  end
  return { generation, whole(writes), whole(own), ... }
end

for index = 1, count do
  limits[index] = limitAt(12 + (index - 1) * 5, KEYS[3 + index], state[index + 2])
  read(limits[index])
end
if debt > 0 and not debtBefore then
  takeAll(debt, debtId)
  keep(true)
end
if now < doubt then return answer('doubt', whole(doubt - now)) end
-- Sent again after its end: this answer is not awaited.
if before == ended then return answer('granted') end
if not before then
  for index, limit in ipairs(limits) do
    local longer = wait(limit)
    if longer > 0 then
      return answer('limit', whole(index - 1), whole(longer))
    end
  end
end
if concurrency > 0 then
  redis.call('ZREMRANGEBYSCORE', openKey, '-inf', whole(now))
  if redis.call('ZCARD', openKey) >= concurrency and not redis.call('ZSCORE', openKey, id) then
    return answer('concurrency')
  end
end
if peek then return answer('fits') end
if concurrency > 0 then
  redis.call('ZADD', openKey, whole(now + lease), id)
  keepFor(openKey, math.ceil(lease / 1000) + 1)
end
if not before then
  takeAll(units, id)
  keep(true)
end
return answer('granted')
`);
