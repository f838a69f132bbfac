// One part of the cache: a hash of entries, with the bytes of all of them in the field `bytes`, and the
// times of their last use. Redis may evict either key: then the other one is deleted too, so that every
// kept entry is counted.
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
 * KEYS: the entries of a part, and their ages. ARGV: the entry's name; milliseconds that an entry is
 * kept after its last use; the most bytes of the part. Ignores larger entries, which another program may
 * have written.
 */
export const cacheReadScript = `${part}
local size = redis.call('HSTRLEN', entries, name)
if size == 0 or size > most then return false end
if tonumber(redis.call('ZSCORE', ages, name) or '0') <= now - kept then return false end
use()
return redis.call('HGET', entries, name)`;

/**
 * KEYS and ARGV as above, and the entry; an empty one deletes. The least recently used entries make room.
 * An entry that is larger than the part is not kept.
 */
export const cacheWriteScript = `${part}
local value = ARGV[4]

-- Size of an entry: its bytes, and those of its name in both keys.
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
while all > most do
  local oldest = redis.call('ZRANGE', ages, 0, 0)[1]
  if not oldest then break end
  forget(oldest)
  all = tonumber(redis.call('HGET', entries, 'bytes'))
end
redis.call('HSET', entries, name, value)
use()
return 1`;
