import { perform } from '../../../src/transport/api-client.js';
import { Deadline } from '../../../src/transport/dispatch/deadline.js';
import {
  CallContext,
  type PolicySettings,
  type PreparedCall,
} from '../../../src/transport/policies/context.js';
import {
  type Authorizer,
  anonymous,
  type Credentials,
} from '../../../src/transport/request/credentials.js';
import { getDefaultRetry, type ResponseSpec } from '../../../src/transport/request/endpoint.js';
import type { RequestSpec } from '../../../src/transport/request/request-spec.js';
import type { CallResult } from '../../../src/transport/response/response-details.js';
import {
  type ClientOptions,
  resolveSettings,
  type TransportSettings,
} from '../../../src/transport/settings.js';
import { Transport } from '../../../src/transport/transport.js';
import { turns } from '../../support/client.js';
import { AnsweringDispatcher } from './dispatch/answering-dispatcher.js';
import { spec } from './policies/cached-spec.js';

export interface TestTransport extends Transport {
  perform<T>(call: PreparedCall<T>): Promise<CallResult<T>>;
}

/** Creates a client's transport over a scripted dispatcher. */
export function transportOver(
  dispatcher: AnsweringDispatcher,
  options: Partial<ClientOptions> = {},
  replaced: Partial<TransportSettings> = {},
): TestTransport {
  const settings = resolveSettings(
    { baseUrl: 'https://code.example.com/api/v3', dispatcher, ...options },
    { media: { vendor: 'service', version: 'v3' }, accept: 'application/json' },
  );
  const transport = new Transport({ ...settings, ...replaced });
  return Object.assign(transport, {
    perform: <T>(call: PreparedCall<T>) => perform(transport, call),
  });
}

/** Response spec that accepts any JSON. */
export const anyJson: ResponseSpec<unknown> = {
  kind: 'json',
  schema: undefined,
  map: (value) => value,
};

/** Fields of a prepared call that a test can override. */
type JobParts = Partial<Omit<PreparedCall<unknown>, 'spec' | 'retry'>> & {
  readonly spec?: Partial<RequestSpec>;
  readonly retry?: Partial<PreparedCall<unknown>['retry']>;
};

/** Creates a GET with up to three immediate retries and no time limit. */
export function createJob<T>(responseSpec: ResponseSpec<T>, parts: JobParts = {}): PreparedCall<T> {
  return {
    isDecoded: false,
    authorizer: anonymous,
    signals: [],
    timeouts: { total: 0, headers: 0, body: 0 },
    validation: 'strict',
    ...parts,
    spec: { ...spec, retry: getDefaultRetry(parts.spec?.method ?? 'GET'), ...parts.spec },
    responseSpec,
    retry: { limit: 3, baseDelay: 0, maxDelay: 0, maxRetryAfter: 60_000, ...parts.retry },
  };
}

/** Creates the context of a call that has sent no request yet. */
export function createCallContext(
  call: PreparedCall<unknown>,
  settings: Partial<PolicySettings> = {},
  deadline = new Deadline([], 0),
): CallContext {
  const { settings: defaults } = transportOver(new AnsweringDispatcher([]));
  return new CallContext(call, { ...defaults, ...settings }, deadline);
}

/**
 * Returns a promise's result, or `still running` if the promise has not settled after ten turns of
 * the event loop.
 */
export function soon<T>(promise: Promise<T>): Promise<T | 'still running'> {
  return Promise.race([promise, turns(10).then(() => 'still running' as const)]);
}

/** Creates a token that must be masked everywhere. */
export function createToken(secret: string): Credentials {
  return {
    headers: { authorization: `token ${secret}` },
    parameters: '',
    parametersIn: 'query',
    secrets: [secret],
    fingerprint: `print of ${secret}`,
  };
}

/** Creates a token that the authorizer may replace after a 401. */
export function renewableToken(secret: string): Credentials {
  return { ...createToken(secret), isRenewable: true };
}

/** Creates an authorizer that always returns the same credentials. */
export function fixed(credentials: Credentials): Authorizer {
  return { credentialParameters: new Set(), credentials: () => credentials };
}

/** Error on an idle connection that the server closed. */
export const staleSocket = Object.assign(new Error('other side closed'), {
  code: 'UND_ERR_SOCKET',
  socket: { bytesRead: 1, bytesWritten: 1_000_000 },
});
