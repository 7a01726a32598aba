import { createHash } from "node:crypto";

/** A Lua script and the digest by which a server that has it runs it. */
export interface RedisScript {
  readonly text: string;
  readonly sha1: string;
}

/**
 * The text that every script begins with.
 *
 * All times are whole microseconds of the server's clock, below 2^53. They are
 * written by "%.0f", since Lua's own way to write a number keeps 14 digits.
 *
 * The marker is one hash for many keys of a limiter. It says since when and how
 * often the server has written, in all and for each process by itself, so that a
 * process that remembers more than the server knows that the server forgot: the
 * writes of others make up for lost ones in all, and not for those of one process.
 * `latest` holds a clock that goes back.
 * Beside it a sorted set lists the keys whose state must be there, and until
 * when by the clock that expires keys; the marker has the number of them.
 *
 * The state of a key is one hash: the counts of each limit by its number, and by
 * its id each grant of late, when it was given, its units and where in each limit
 * they are. A client that lost an answer with its connection may send a script
 * again: what an id took or gave back already is not taken or given back anew.
 *
 * Limits come as five arguments each: algorithm, the most at once, the window,
 * the width of a part or the spacing of units, and how many parts.
 */
const beginning = `
local function whole(number) return string.format('%.0f', number) end

local function clock(marker)
  local time = redis.call('TIME')
  local real = time[1] * 1000000 + time[2]
  return math.max(real, tonumber(marker or 0)), real
end

local ended = '-'

local function fieldsOf(count, ...)
  local fields = { ... }
  for index = 1, count do fields[#fields + 1] = tostring(index) end
  return fields
end

local function memberOf(units, id) return whole(units) .. ':' .. id end

local function numbersIn(text)
  local numbers = {}
  for number in string.gmatch(text or '', '%S+') do numbers[#numbers + 1] = tonumber(number) end
  return numbers
end

local function written(numbers)
  local texts = {}
  for index, number in ipairs(numbers) do texts[index] = whole(number) end
  return table.concat(texts, ' ')
end

-- Another process may keep it for longer, with a longer lease.
local function keepFor(key, ms)
  redis.call('PEXPIRE', key, whole(math.max(ms, redis.call('PTTL', key))))
end

local function limitAt(at, key, stored)
  return {
    algorithm = ARGV[at], most = tonumber(ARGV[at + 1]), window = tonumber(ARGV[at + 2]),
    step = tonumber(ARGV[at + 3]), parts = tonumber(ARGV[at + 4]), key = key, stored = stored,
  }
end
`;

export function script(text: string): RedisScript {
  const whole = `${beginning}${text}`;
  return Object.freeze({ text: whole, sha1: createHash("sha1").update(whole).digest("hex") });
}
