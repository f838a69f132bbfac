/**
 * Grants permissions to start calls so that an interval separates the calls of all processes. Part
 * of the limits script, which defines `now`, `me`, `lease` and `kept`.
 *
 * When a process first requests a permission, it gets a turn one interval after the last turn of
 * another process. A turn stays valid until it is used. A late process therefore keeps its turn,
 * and a dead process delays other processes by one interval.
 */
export const startsScript = `
-- Time in ms for which an interval is remembered after the last report.
local remembered = 60000
-- Starts within this time, in ms, are granted together.
local group = 10

local function start(pace, turns, asked, pauses, open)
  local state = redis.call('HMGET', pace, 'last', 'count', 'interval', 'reported', 'since')
  local last, count = tonumber(state[1] or '0'), tonumber(state[2] or '0')
  if last > now + group then
    -- A clock that was ahead, such as a former master's, must not delay the starts.
    last = now + group
    redis.call('HSET', pace, 'last', last)
  end
  if asked.late and now - asked.late > last then
    last = now - math.max(0, asked.late)
    redis.call('HSET', pace, 'last', string.format('%.3f', last))
  end
  local interval, reported = tonumber(state[3] or '0'), tonumber(state[4] or '0')
  -- A pause invalidates the interval. During the pause, each process reports its own part of the
  -- rate. After the pause, the shortest interval counts.
  local isOver = asked.since and tonumber(state[5] or '0') ~= pauses
  if isOver or math.abs(now - reported) > remembered then interval = 0 end
  if asked.interval > 0 and (not asked.since or asked.since == pauses) then
    if not asked.since or interval == 0 then interval = asked.interval
    elseif open then interval = math.min(interval, asked.interval)
    else interval = 1 / (1 / interval + 1 / asked.interval) end
    redis.call('HSET', pace, 'interval', string.format('%.3f', interval), 'reported', now, 'since', pauses)
    redis.call('PEXPIRE', pace, kept)
  end
  local reply = { granted = 0, waiting = 0, interval = interval, count = count }
  if asked.want <= 0 or not open then return reply end
  if interval == 0 then interval = asked.interval end

  for _, waiter in ipairs(redis.call('ZRANGEBYSCORE', turns, '-inf', now - lease)) do
    redis.call('ZREM', turns, waiter)
  end
  local size = redis.call('ZCARD', turns)
  local mine = tonumber(redis.call('ZSCORE', turns, me) or nil)
  reply.waiting = mine and size or size + 1
  local function turn()
    local highest = tonumber(redis.call('ZRANGE', turns, -1, -1, 'WITHSCORES')[2] or '0')
    return math.max(now, last + interval, math.min(highest, now + size * interval) + interval)
  end
  mine = mine and math.min(mine, now + size * interval) or turn()

  if now >= mine and now >= last + interval then
    reply.granted = math.max(1, math.min(asked.want, math.floor(group / interval)))
    last, count = now + (reply.granted - 1) * interval, count + reply.granted
    redis.call('HSET', pace, 'last', string.format('%.3f', last), 'count', count)
    redis.call('PEXPIRE', pace, kept)
    redis.call('ZREM', turns, me)
    reply.count = count
    if asked.want == reply.granted then return reply end
    mine = turn()
  end
  redis.call('ZADD', turns, mine, me)
  redis.call('PEXPIRE', turns, kept)
  reply.wait = math.max(mine, last + interval) - now
  return reply
end
`;
