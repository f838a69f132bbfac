// A cache shard consists of two keys: a hash of entries and a sorted set of last-use times. The
// hash's `bytes` field is the total size of the entries. If Redis evicts one key, the script
// deletes the other key, so the total stays correct.
const part = `
local entries, ages, name = KEYS[1], KEYS[2], ARGV[1]
local kept, most = tonumber(ARGV[2]), tonumber(ARGV[3])
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
if redis.call('EXISTS', entries) ~= redis.call('EXISTS', ages) then
  redis.call('UNLINK', entries, ages)
end

local function use()
  redis.call('ZADD', ages, now, name)
  redis.call('PEXPIRE', entries, kept)
  redis.call('PEXPIRE', ages, kept)
end
`;

/**
 * Reads a cache entry and marks it as used. KEYS: the shard's entries and its last-use times. ARGV:
 * the entry's name; its lifetime after the last use, in ms; the shard's maximum size in bytes.
 * Ignores entries that exceed this size, because another program may have written them.
 */
export const cacheReadScript = `${part}
local size = redis.call('HSTRLEN', entries, name)
if size == 0 or size > most then return false end
if tonumber(redis.call('ZSCORE', ages, name) or '0') <= now - kept then return false end
use()
return redis.call('HGET', entries, name)`;

/**
 * Writes a cache entry, or deletes it if the value is empty. KEYS and ARGV: those of
 * `cacheReadScript`, then the value. To make room, evicts at most 256 of the least recently used
 * entries, because scripts block Redis. Doesn't store the entry if it still doesn't fit.
 */
export const cacheWriteScript = `${part}
local value = ARGV[4]

-- Size of an entry in bytes, including its name in both keys.
local function sizeOf(bytes, old) return bytes + 2 * #old end

local function forget(old)
  local bytes = redis.call('HSTRLEN', entries, old)
  redis.call('ZREM', ages, old)
  if redis.call('HDEL', entries, old) == 0 then return end
  redis.call('HINCRBY', entries, 'bytes', 0 - sizeOf(bytes, old))
end

for _, old in ipairs(redis.call('ZRANGEBYSCORE', ages, '-inf', now - kept, 'LIMIT', 0, 100)) do
  forget(old)
end
forget(name)
local size = sizeOf(#value, name)
if #value == 0 or size > most then return 0 end
local all = redis.call('HINCRBY', entries, 'bytes', size)
for _, oldest in ipairs(all > most and redis.call('ZRANGE', ages, 0, 255) or {}) do
  if all <= most then break end
  forget(oldest)
  all = tonumber(redis.call('HGET', entries, 'bytes'))
end
if all > most then
  redis.call('HINCRBY', entries, 'bytes', 0 - size)
  return 0
end
redis.call('HSET', entries, name, value)
use()
return 1`;
