import { startsScript } from './starts-script.js';

/**
 * Saves a process's report on the shared limits and grants the requested units, slots and
 * permissions (see `SharedLimits.exchange`). All keys of a scope have the same hash tag so that a
 * cluster stores them on one node.
 *
 * KEYS: the scope's pause; the slots, their leases and their queue; then each quota and its leases;
 * then each interval between calls and its turns. Stored times use Redis's clock. Replies contain
 * only durations, because the processes' clocks may differ.
 */
export const limitsScript = `
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
local report = cjson.decode(ARGV[1])
local me, lease, kept = report.holder, report.lease, ARGV[2]

-- Time in ms for which nothing is granted after Redis lost the holders' counts.
local blindTime = 1500

local function number(key, field)
  return tonumber(redis.call('HGET', key, field) or '0')
end

-- Sums the units of all holders. Shortens leases written by a clock that was ahead, such as a former
-- master's. Redis may evict the leases but not the units, so holders and waiters without a lease
-- get a new lease. A live process renews it, and a dead process's lease expires. Forgets which
-- processes have reported, unless the counts are new.
local function count(pool, leases, queue, isNew)
  local out, fields = 0, redis.call('HGETALL', pool)
  for _, holder in ipairs(redis.call('ZRANGEBYSCORE', leases, '(' .. now + lease, '+inf')) do
    redis.call('ZADD', leases, now + lease, holder)
  end
  for at = 1, #fields, 2 do
    local holder = string.match(fields[at], '^of:(.+)$')
    if holder then
      out = out + (tonumber(fields[at + 1]) or 0)
      redis.call('ZADD', leases, 'NX', now + lease, holder)
    elseif not isNew and string.find(fields[at], '^met:') then
      redis.call('HDEL', pool, fields[at])
    end
  end
  for _, waiter in ipairs(queue and redis.call('ZRANGE', queue, 0, -1) or {}) do
    redis.call('ZADD', leases, 'NX', now + lease, waiter)
  end
  redis.call('HSET', pool, 'out', out, 'counted', now)
  return out
end

-- Releases the units of silent processes and updates this process's units. Returns how many units
-- are held. The field \`out\` caches this total, which is recounted every second and whenever holders
-- are lost.
local function hold(pool, leases, queue, asked)
  local held = asked.held
  local before = redis.call('HMGET', pool, 'counted', 'created')
  local age = now - tonumber(before[1] or '0')
  local dead = redis.call('ZRANGEBYSCORE', leases, '-inf', now)
  -- Holders report every second. If none has reported for a whole lease, the clock was set forward or
  -- Redis hung, so the holders may be alive. Give each holder time to report again.
  if age >= math.max(lease, 2000) and (held > 0 or asked.isKnown) then
    for _, holder in ipairs(dead) do redis.call('ZADD', leases, now + blindTime, holder) end
    dead = {}
  end
  for _, holder in ipairs(dead) do
    redis.call('HDEL', pool, 'of:' .. holder)
    redis.call('ZREM', leases, holder)
    if queue then redis.call('ZREM', queue, holder) end
  end
  local holds = redis.call('HMGET', pool, 'of:' .. me, 'out')
  local had, out = tonumber(holds[1] or '0'), tonumber(holds[2] or '0')
  local hasLeases = redis.call('EXISTS', leases) == 1
  local isLost = out > 0 and not hasLeases
  if not before[1] then redis.call('HSET', pool, 'created', now) end
  local created = before[1] and tonumber(before[2] or '0') or now
  local isNew = now >= created and now - created < blindTime
  local isUnmet = isNew and not redis.call('HGET', pool, 'met:' .. me)
  if isUnmet then redis.call('HSET', pool, 'met:' .. me, 1) end
  -- Redis lost the holders' counts. Every process reports its own count again within a second. The
  -- first report may come from a process that doesn't know of the loss.
  if isUnmet and (held > 0 or asked.isKnown or hasLeases and not before[1]) then
    redis.call('HSET', pool, 'blind', created + blindTime)
  end
  if #dead > 0 or isLost or age < 0 or age >= 1000 then out = count(pool, leases, queue, isNew) end
  return had == held and out or redis.call('HINCRBY', pool, 'out', held - had)
end

-- Returns whether grants must wait, because holders might not have reported since Redis lost their counts.
local function isBlind(field)
  local blind = tonumber(field or '0') - now
  return blind > 0 and blind <= blindTime
end

local function keep(pool, leases, held, granted, waits)
  if granted > 0 then redis.call('HINCRBY', pool, 'out', granted) end
  held = held + granted
  if held > 0 then redis.call('HSET', pool, 'of:' .. me, held)
  else redis.call('HDEL', pool, 'of:' .. me) end
  if held > 0 or waits then redis.call('ZADD', leases, now + lease, me)
  else redis.call('ZREM', leases, me) end
  redis.call('PEXPIRE', pool, kept)
  redis.call('PEXPIRE', leases, kept)
end

${startsScript}
local reply = { budgets = {}, starts = {} }

local ends, pauses = number(KEYS[1], 'ends'), number(KEYS[1], 'count')
-- After data loss, the count continues with a number that no process has seen, so that intervals
-- from before an earlier pause don't seem valid.
local known = 0
for _, asked in ipairs(report.starts) do known = math.max(known, asked.since or 0) end
if pauses == 0 and known > 0 then
  pauses = math.max(now, known + 1)
  redis.call('HSET', KEYS[1], 'count', pauses)
  redis.call('PEXPIRE', KEYS[1], kept)
end
local longest = now + tonumber(redis.call('HGET', KEYS[1], 'length') or '3600000')
if ends > longest then
  -- A clock that was ahead, such as a former master's, must not prolong the pause.
  ends = longest
  redis.call('HSET', KEYS[1], 'ends', ends)
end
if report.pause > 0 and now + report.pause > ends then
  -- Processes that the server rejects at the same time report the same pause, which counts once.
  if now + report.pause > ends + 500 then pauses = pauses == 0 and now or pauses + 1 end
  ends = now + report.pause
  redis.call('HSET', KEYS[1], 'ends', ends, 'count', pauses, 'length', report.pause)
  redis.call('PEXPIRE', KEYS[1], kept)
end
reply.pause, reply.pauses = math.max(0, ends - now), pauses

-- Number of calls that can start now, because they have a unit or need none. Each call needs a slot.
local ready = 0
-- A process without a slot doesn't need a portion of spare units yet.
local portions = not report.slots or report.slots.held > 0

for index, asked in ipairs(report.budgets) do
  local pool, leases = KEYS[3 + 2 * index], KEYS[4 + 2 * index]
  local out = hold(pool, leases, nil, asked)
  local state = redis.call('HMGET', pool, 'limit', 'remaining', 'reset', 'ends', 'sequence',
    'places', 'opens', 'blind')
  local limit, remaining = tonumber(state[1] or '-1'), tonumber(state[2] or '0')
  local reset, ends = tonumber(state[3] or '0'), tonumber(state[4] or '0')
  local sequence = tonumber(state[5] or '0')
  local count, opens = tonumber(state[6] or '0'), tonumber(state[7] or '0')

  local reported = asked.reported
  if reported == 'none' then
    redis.call('HSET', pool, 'none', 1)
  elseif reported then
    local news = asked.since and asked.since >= sequence
    if limit < 0 or news or reported.reset > reset then
      limit, remaining, reset, ends = reported.limit, reported.remaining, reported.reset, now + reported.ends
    elseif reported.reset == reset then
      if reported.remaining < remaining then limit, remaining = reported.limit, reported.remaining end
      -- The server reports its clock in whole seconds, so the earliest end is the most accurate.
      ends = math.min(ends, now + reported.ends)
    end
    if asked.since then sequence = sequence + 1 end
    redis.call('HSET', pool, 'limit', limit, 'remaining', remaining, 'reset', reset, 'ends', ends,
      'sequence', sequence)
  end

  local holders = redis.call('ZCARD', leases)
  if not redis.call('ZSCORE', leases, me) then holders = holders + 1 end
  local current = now < ends
  local place, waited = 0, nil
  if asked.waiters > 0 then
    if number(pool, 'awaited') ~= reset then
      redis.call('HSET', pool, 'awaited', reset, 'places', 0)
    end
    count, opens = redis.call('HINCRBY', pool, 'places', asked.waiters), ends
    place = count - asked.waiters
    redis.call('HSET', pool, 'opens', ends)
  end
  if count > 0 and now >= opens then
    local gap = math.min(100, 10000 / count)
    if now < opens + count * gap then waited = { ago = now - opens, gap = gap, count = count } end
  end

  local granted, left = 0, -1
  local none = limit < 0 and number(pool, 'none') == 1
  if none then
    ready = ready + asked.need
  elseif isBlind(state[8]) then
    left = 0
  elseif limit < 0 then
    -- The limit is unknown. Let up to 60 calls (the smallest quota) detect it, then one per
    -- second.
    granted = math.min(asked.need, math.max(now >= number(pool, 'tries') and 1 or 0, 60 - out))
    if granted > 0 then redis.call('HSET', pool, 'tries', now + 1000) end
  else
    -- After a window with a limit of 0, one call checks whether units are available again.
    left = math.max(0, (current and remaining or math.max(1, limit)) - out)
    if waited then
      granted = math.min(asked.need, left)
    else
      -- Grant a portion of spare units if many are left; otherwise only the units needed now.
      local fair = math.floor(left / (2 * holders))
      local portion = portions and fair >= 4 and math.min(asked.want, fair) or 0
      granted = math.min(left, math.max(asked.need, portion))
    end
    left = left - granted
  end
  if not waited then ready = ready + math.min(granted, asked.need) end
  keep(pool, leases, asked.held, granted, asked.need > 0)
  local result = { sequence = sequence, granted = granted, left = left, holders = holders,
    place = place, waited = waited }
  if none then result.known = 'none'
  elseif limit >= 0 then
    result.known = { limit = limit, remaining = remaining, reset = reset, ends = ends - now }
  end
  reply.budgets[index] = result
end

if report.slots then
  local pool, leases, queue = KEYS[2], KEYS[3], KEYS[4]
  local asked = report.slots
  local out = hold(pool, leases, queue, asked)
  -- A process in the queue reports several times a second. If it is silent, it is probably dead, and
  -- must not keep a free slot from other processes until its lease ends.
  for _, silent in ipairs(redis.call('ZRANGEBYSCORE', leases, '-inf', now + lease - 2000)) do
    redis.call('ZREM', queue, silent)
  end
  local holders = redis.call('ZCARD', leases)
  if not redis.call('ZSCORE', leases, me) then holders = holders + 1 end
  local granted, ahead, want = 0, 0, asked.want + ready
  local part = math.max(1, math.floor(asked.capacity / holders))
  local isQueued = redis.call('ZSCORE', queue, me)
  local others = redis.call('ZCARD', queue) - (isQueued and 1 or 0)
  -- A process that has its share doesn't queue for other processes' shares.
  local waits = want > 0 and (others == 0 or asked.held < part)
  if waits then
    -- Leave one slot free for each process ahead in the queue. All queued processes are ahead of a
    -- new one.
    ahead = isQueued and redis.call('ZRANK', queue, me) or others
    granted = math.min(want, asked.capacity - out - ahead)
    if others > 0 then granted = math.min(granted, part - asked.held) end
    granted = isBlind(redis.call('HGET', pool, 'blind')) and 0 or math.max(0, granted)
    waits = granted == 0
  end
  if isQueued and not waits then redis.call('ZREM', queue, me) end
  if waits and not isQueued then
    local last = redis.call('ZRANGE', queue, -1, -1, 'WITHSCORES')[2]
    redis.call('ZADD', queue, tonumber(last or '0') + 1, me)
  end
  redis.call('PEXPIRE', queue, kept)
  keep(pool, leases, asked.held, granted, want > 0)
  -- After data loss, holders may have more slots than exist. Counting the excess as waiting processes
  -- makes the holders return it.
  local waiting = math.max(others, out - asked.capacity)
  reply.slots = { granted = granted, holders = holders, waiting = waiting, ahead = ahead }
end

local first = 4 + 2 * #report.budgets
for index, asked in ipairs(report.starts) do
  local at = first + 2 * index
  reply.starts[index] = start(KEYS[at - 1], KEYS[at], asked, pauses, reply.pause == 0)
end

-- cjson encodes an empty table as an object.
if #reply.budgets == 0 then reply.budgets = nil end
if #reply.starts == 0 then reply.starts = nil end
return cjson.encode(reply)
`;
