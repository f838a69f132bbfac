import { isTriforgeError } from '../errors/index.js';
import { getMember } from '../schema/unknown-values.js';
import type { ConfigurationStatus } from './models/index.js';

/** Interpretation of a configuration status. */
export type RunState =
  | { readonly kind: 'running' }
  | { readonly kind: 'succeeded' }
  /** `step` is the failed step's `key`. Undefined if only the status reports the failure. */
  | { readonly kind: 'failed'; readonly step: string | undefined }
  /** Unknown status that the steps don't explain. */
  | { readonly kind: 'unclear' };

/**
 * Interprets a configuration status. Only `running` is documented, and real appliances also send
 * `success`. For other statuses, the result depends on the steps and on words in the status, such
 * as `failed`.
 */
export function classifyStatus({ status, progress }: ConfigurationStatus): RunState {
  const word = status.toLowerCase();
  const steps = progress ?? [];
  const failed = steps.find((step) => step.status === 'FAILED');
  if (failed) return { kind: 'failed', step: failed.key };
  if (word === 'running') return { kind: 'running' };
  if (word === 'success') return { kind: 'succeeded' };
  if (/fail|error/.test(word)) return { kind: 'failed', step: undefined };
  if (steps.some((step) => step.status === 'PENDING' || step.status === 'CONFIGURING')) {
    return { kind: 'running' };
  }
  if (steps.length > 0 && steps.every((step) => step.status === 'DONE')) {
    return { kind: 'succeeded' };
  }
  return { kind: 'unclear' };
}

/**
 * Connection failures that a restart can cause. A wrong host name or certificate is permanent, so
 * it isn't listed.
 */
const restarting = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENETUNREACH',
  'UND_ERR_SOCKET',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/**
 * Returns whether an error is temporary, for example because the appliance is restarting or has no
 * status yet.
 */
export function passes(error: unknown): boolean {
  if (!isTriforgeError(error)) return false;
  switch (error.code) {
    case 'timeout':
      return true;
    case 'connection':
      return restarting.has(String(getMember(error.cause, 'code')));
    case 'server':
      return error.status === 502 || error.status === 503 || error.status === 504;
    case 'not_found':
      return true;
    case 'response_body':
      // While the appliance is down, a proxy can send an empty body or its own error page.
      return ['empty', 'truncated', 'unexpected_type'].includes(error.reason);
    case 'response_shape':
      return isEmpty(error.data);
    default:
      return false;
  }
}

function isEmpty(data: unknown): boolean {
  if (data === null || data === '') return true;
  return typeof data === 'object' && Object.keys(data).length === 0;
}
