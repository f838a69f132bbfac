import { invalidOption } from '../option-names.js';
import { describeKind } from '../schema/unknown-values.js';

/** Method that the store needs from a node-redis 5 or 6 client or client pool. */
export interface NodeRedisClient {
  /** Sends one command. */
  sendCommand(args: string[], options?: object): Promise<unknown>;
}

/** Method and property that the store needs from a node-redis 5 or 6 cluster client. */
export interface NodeRedisCluster {
  /** Sends one command to the node that stores `firstKey`. */
  sendCommand(
    firstKey: string | undefined,
    isReadonly: boolean | undefined,
    args: string[],
    options?: object,
  ): Promise<unknown>;
  /** Master nodes of the cluster. Distinguishes a cluster from a single client. */
  readonly masters: readonly unknown[];
}

/** Methods that the store needs from a node-redis 5 or 6 Sentinel client (`createSentinel`). */
export interface NodeRedisSentinel {
  /** Sends one command to the master. */
  sendCommand(isReadonly: boolean | undefined, args: string[], options?: object): Promise<unknown>;
  /** Returns the Sentinel that is in use. Distinguishes the Sentinel client from other clients. */
  getSentinelNode(): unknown;
}

/**
 * Methods of an ioredis 5 or 6 `Redis` or `Cluster`. The store also needs `get`, `set` and `eval`.
 */
export interface IoredisClient {
  /** Sends `GET`. Distinguishes ioredis from other clients. */
  getBuffer(key: string): Promise<unknown>;
  /** Sends `DEL`. */
  del(key: string): Promise<unknown>;
}

/** Redis client that you create and connect. You configure TLS, users and retries on the client. */
export type RedisClient = NodeRedisClient | NodeRedisCluster | NodeRedisSentinel | IoredisClient;

/** The ioredis method for each command that the store sends. */
const methods = {
  DEL: 'del',
  EVAL: 'eval',
  GET: 'get',
  SET: 'set',
} as const;

/** Sends a command. `key` is the command's first key. */
export type SendCommand = (
  key: string,
  command: keyof typeof methods,
  ...args: string[]
) => Promise<unknown>;

type IoredisMethods = Record<
  (typeof methods)[keyof typeof methods],
  (...args: string[]) => Promise<unknown>
>;

/**
 * Returns a function that sends commands through any supported client.
 * @throws {ConfigurationError} if the client isn't supported.
 */
export function createSender(client: RedisClient): SendCommand {
  if (typeof client === 'object' && client !== null) {
    if ('getBuffer' in client && typeof client.getBuffer === 'function') {
      // `as`: ioredis declares different arguments for each command. Its generic `callBuffer` can't
      // be used, because it drops the command's name if `enableAutoPipelining` is set.
      const ioredis = client as unknown as IoredisMethods;
      return (_key, command, ...args) => ioredis[methods[command]](...args);
    }
    if ('masters' in client && typeof client.sendCommand === 'function') {
      return (key, ...command) => client.sendCommand(key, false, command);
    }
    if ('getSentinelNode' in client && typeof client.sendCommand === 'function') {
      return (_key, ...command) => client.sendCommand(false, command);
    }
    if ('sendCommand' in client && typeof client.sendCommand === 'function') {
      // `as`: clusters (`masters`) and Sentinel clients (`getSentinelNode`) are handled above.
      const single = client as NodeRedisClient;
      return (_key, ...command) => single.sendCommand(command);
    }
  }
  const why = `must be a client, cluster or Sentinel client of redis 5 or 6, or of ioredis 5 or 6 (got ${describeKind(client)})`;
  throw invalidOption('client', why);
}
