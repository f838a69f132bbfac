import { invalidOption } from '../option-names.js';
import { describeKind } from '../schema/unknown-values.js';

type Argument = string | Buffer;

/** Method that the store needs from a node-redis 5 or 6 client or client pool. */
export interface NodeRedisClient {
  /** Sends one command. */
  sendCommand(args: Argument[], options?: object): Promise<unknown>;
}

/** Method and property that the store needs from a node-redis 5 or 6 cluster client. */
export interface NodeRedisCluster {
  /** Sends one command to the node that stores `firstKey`. */
  sendCommand(
    firstKey: Argument | undefined,
    isReadonly: boolean | undefined,
    args: Argument[],
    options?: object,
  ): Promise<unknown>;
  /** Master nodes of the cluster. Distinguishes a cluster from a single client. */
  readonly masters: readonly unknown[];
}

/** Methods that the store needs from a node-redis 5 or 6 Sentinel client (`createSentinel`). */
export interface NodeRedisSentinel {
  /** Sends one command to the master. */
  sendCommand(
    isReadonly: boolean | undefined,
    args: Argument[],
    options?: object,
  ): Promise<unknown>;
  /** Returns the Sentinel that is in use. Distinguishes the Sentinel client from other clients. */
  getSentinelNode(): unknown;
}

/**
 * Methods that the store needs from an ioredis 5 or 6 `Redis` or `Cluster`, one per command.
 */
export interface IoredisClient {
  /** Sends `GETRANGE`. Returns a Buffer. */
  getrangeBuffer(key: Argument, start: string, end: string): Promise<unknown>;
  /** Sends `PTTL`. */
  pttl(key: Argument): Promise<unknown>;
}

/** Redis client that you create and connect. You configure TLS, users and retries on the client. */
export type RedisClient = NodeRedisClient | NodeRedisCluster | NodeRedisSentinel | IoredisClient;

/** The ioredis method for each command that the store sends. */
const methods = {
  EVAL: 'evalBuffer',
  EVALSHA: 'evalshaBuffer',
  GETRANGE: 'getrangeBuffer',
  PTTL: 'pttl',
  SET: 'setBuffer',
} as const;

/** Sends a command. `key` is the command's first key. Strings in the reply are Buffers. */
export type SendCommand = (
  key: string,
  command: keyof typeof methods,
  ...args: Argument[]
) => Promise<unknown>;

type IoredisMethods = Record<
  (typeof methods)[keyof typeof methods],
  (...args: Argument[]) => Promise<unknown>
>;

/**
 * Makes node-redis return strings as Buffers. node-redis identifies a RESP type by its first byte,
 * such as `$` (36) for strings.
 */
const asBuffers = { typeMapping: { 36: Buffer } };

/**
 * Returns a function that sends commands through any supported client. The function rejects while
 * the application has an open transaction on the same connection, because Redis then only queues
 * commands.
 * @throws {ConfigurationError} if the client isn't supported.
 */
export function createSender(client: RedisClient): SendCommand {
  const send = findSender(client);
  return async (key, command, ...args) => {
    const reply = await send(key, command, ...args);
    const isText = typeof reply === 'string' || Buffer.isBuffer(reply);
    if (isText && reply.length === 6 && String(reply) === 'QUEUED') {
      throw new Error('the connection is in a transaction (MULTI)');
    }
    return reply;
  };
}

function findSender(client: RedisClient): SendCommand {
  if (typeof client === 'object' && client !== null) {
    if ('getrangeBuffer' in client && typeof client.getrangeBuffer === 'function') {
      // `as`: ioredis declares different arguments for each command. Its generic `callBuffer` can't
      // be used, because it drops the command's name if `enableAutoPipelining` is set.
      const ioredis = client as unknown as IoredisMethods;
      return (_key, command, ...args) => ioredis[methods[command]](...args);
    }
    if ('masters' in client && typeof client.sendCommand === 'function') {
      return (key, ...command) => client.sendCommand(key, false, command, asBuffers);
    }
    if ('getSentinelNode' in client && typeof client.sendCommand === 'function') {
      return (_key, ...command) => client.sendCommand(false, command, asBuffers);
    }
    if ('sendCommand' in client && typeof client.sendCommand === 'function') {
      // `as`: clusters (`masters`) and Sentinel clients (`getSentinelNode`) are handled above.
      const single = client as NodeRedisClient;
      return (_key, ...command) => single.sendCommand(command, asBuffers);
    }
  }
  const why = `must be a client, cluster or Sentinel client of redis 5 or 6, or of ioredis 5 or 6 (got ${describeKind(client)})`;
  throw invalidOption('client', why);
}
