import type { NodeRedisClient } from '../../src/redis/index.js';

export const key = 'a key that all processes of the fleet know';

/** Creates a Redis client that sends commands through a test's function. */
export const sending = (sendCommand: NodeRedisClient['sendCommand']): NodeRedisClient => ({
  sendCommand,
});
