const now = `
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
`;

/** KEYS: an entry, the ages and the sizes of its part. ARGV: how long an entry is kept after its last use. */
export const cacheReadScript = `${now}
local found = redis.call('GET', KEYS[1])
if found then
  redis.call('PEXPIRE', KEYS[1], ARGV[1])
  redis.call('ZADD', KEYS[2], now, KEYS[1])
end
return found`;

/**
 * KEYS as above. ARGV: the entry, or nothing to forget it; how long it is kept; the bytes of the part.
 * What was not used longest makes room. An entry that is larger than the part is not kept.
 */
export const cacheWriteScript = `${now}
local entry, ages, sizes = KEYS[1], KEYS[2], KEYS[3]
local value, kept, most = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])

local function forget(key)
  local size = redis.call('HGET', sizes, key)
  if size then redis.call('HINCRBY', sizes, 'all', -size) end
  redis.call('HDEL', sizes, key)
  redis.call('ZREM', ages, key)
  redis.call('UNLINK', key)
end

for _, old in ipairs(redis.call('ZRANGEBYSCORE', ages, '-inf', now - kept, 'LIMIT', 0, 100)) do
  forget(old)
end
forget(entry)
local size = #value + 2 * #entry
if #value == 0 or size > most then return 0 end
local all = redis.call('HINCRBY', sizes, 'all', size)
while all > most do
  local oldest = redis.call('ZRANGE', ages, 0, 0)[1]
  if not oldest then break end
  forget(oldest)
  all = tonumber(redis.call('HGET', sizes, 'all'))
end
redis.call('SET', entry, value, 'PX', kept)
redis.call('HSET', sizes, entry, size)
redis.call('ZADD', ages, now, entry)
return 1`;
