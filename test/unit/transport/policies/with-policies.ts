import type { RequestPolicy } from '../../../../src/transport/policies/user-policies.js';
import { AnsweringDispatcher, type Reply } from '../dispatch/answering-dispatcher.js';
import { transportOver } from '../prepared-calls.js';

export const fine: Reply = { body: '"fine"' };
export const url = 'https://code.example.com/api/v3/thing?page=2';
export const elsewhere = 'https://elsewhere.example.net/thing';

/** Creates a transport with policies over scripted responses. */
export function withPolicies(
  policies: readonly RequestPolicy[],
  script: ConstructorParameters<typeof AnsweringDispatcher>[0] = () => fine,
  options: Parameters<typeof transportOver>[1] = {},
) {
  const dispatcher = new AnsweringDispatcher(script);
  return { dispatcher, transport: transportOver(dispatcher, { policies, ...options }) };
}

/** Creates a policy that changes the URL or the headers of each request. */
export const changing =
  (change: {
    readonly url?: string;
    readonly headers?: Readonly<Record<string, string>>;
  }): RequestPolicy =>
  (next) =>
  (request, context) =>
    next({ ...request, ...change }, context);
