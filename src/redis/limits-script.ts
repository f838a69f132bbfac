/**
 * Combines the limits that a process reports with the stored limits.
 * KEYS: the quota; the credential's pause.
 * ARGV: `limit`, `remaining`, `reset` (epoch s) and `ends` (ms) of the quota, or empty strings; the
 * length of the pause in ms.
 * Each value is stored with its original duration, so that no process waits longer than the server
 * demanded, even if Redis's clock is set back.
 */
export const limitsScript = `
local function left(key, duration)
  return math.min(redis.call('PTTL', key), tonumber(duration))
end

local quota = redis.call('HMGET', KEYS[1], 'limit', 'remaining', 'reset', 'ends')
local limit, remaining, reset, ends = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3]), ARGV[4]
if reset then
  local known = tonumber(quota[3]) or 0
  if reset > known or (reset == known and remaining < tonumber(quota[2])) then
    quota = { limit, ARGV[2], ARGV[3], ends }
    redis.call('HSET', KEYS[1], 'limit', limit, 'remaining', ARGV[2], 'reset', ARGV[3], 'ends', ends)
    redis.call('PEXPIRE', KEYS[1], ends)
  end
end

local paused = redis.call('GET', KEYS[2])
local pause = paused and left(KEYS[2], paused) or 0
if tonumber(ARGV[5]) > pause then
  pause = tonumber(ARGV[5])
  redis.call('SET', KEYS[2], ARGV[5], 'PX', ARGV[5])
end

if not quota[1] then return { pause } end
return { pause, quota[1], quota[2], quota[3], left(KEYS[1], quota[4]) }
`;
