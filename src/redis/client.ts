import { ConfigurationError } from '../errors/index.js';

type Argument = string | Buffer;

/** The members used of a node-redis 5 or 6 client, or of a pool of clients. */
export interface NodeRedisClient {
  /** Sends one command. */
  sendCommand(args: Argument[], options?: object): Promise<unknown>;
}

/** The members used of a node-redis 5 or 6 cluster. */
export interface NodeRedisCluster {
  /** Sends one command to the node that has a key. */
  sendCommand(
    firstKey: Argument | undefined,
    isReadonly: boolean | undefined,
    args: Argument[],
    options?: object,
  ): Promise<unknown>;
  /** Its nodes: they tell it from a single client. */
  readonly masters: readonly unknown[];
}

/** The members used of a node-redis 5 or 6 Sentinel client (`createSentinel`). */
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

/** The members used of a `Redis` or `Cluster` of ioredis 5 or 6, which has a method for each command. */
export interface IoredisClient {
  /** Sends `GET`. Returns a Buffer. */
  getBuffer(key: Argument): Promise<unknown>;
  /** Sends `PTTL`. */
  pttl(key: Argument): Promise<unknown>;
}

/** Your own client, connected as you like: TLS, users and retries are its business. */
export type RedisClient = NodeRedisClient | NodeRedisCluster | NodeRedisSentinel | IoredisClient;

/** The method of ioredis for each command that is sent, not counting those of the scripts. */
const methods = {
  EVAL: 'evalBuffer',
  EVALSHA: 'evalshaBuffer',
  GET: 'getBuffer',
  PTTL: 'pttl',
  SET: 'setBuffer',
} as const;

/** Sends a command whose first key is named; strings of the answer are Buffers. */
export type Send = (
  key: string,
  command: keyof typeof methods,
  ...args: Argument[]
) => Promise<unknown>;

type IoredisMethods = Record<
  (typeof methods)[keyof typeof methods],
  (...args: Argument[]) => Promise<unknown>
>;

/** node-redis names types of RESP by their first byte: that of a string is `$`. */
const asBuffers = { typeMapping: { 36: Buffer } };

/** One way to send, whichever client it is. @throws {ConfigurationError} */
export function senderOf(client: RedisClient): Send {
  if (typeof client === 'object' && client !== null) {
    if ('getBuffer' in client && typeof client.getBuffer === 'function') {
      // `as`: ioredis declares other arguments for each command. Its `callBuffer`, which takes any command,
      // loses the command's name if `enableAutoPipelining` is set.
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
      // `as`: a cluster has `masters`, and a Sentinel client `getSentinelNode`.
      const single = client as NodeRedisClient;
      return (_key, ...command) => single.sendCommand(command, asBuffers);
    }
  }
  throw new ConfigurationError(
    'client: must be a client, cluster or Sentinel client of redis 5 or 6, or of ioredis 5 or 6',
    { option: 'client' },
  );
}
