import { invalidOption } from '../option-names.js';
import { describeKind } from '../schema/unknown-values.js';

/** Hook secret, or an array of secrets during rotation. */
export type Secret = string | readonly string[];

/**
 * Returns the secrets as a list. Rejects an empty or missing secret, which would match either every
 * delivery or none.
 * @throws {ConfigurationError} if a secret is empty or missing.
 */
export function listSecrets(secret: Secret | undefined): readonly string[] {
  const secrets = typeof secret === 'string' ? [secret] : secret;
  const filled = (each: unknown) => typeof each === 'string' && each !== '';
  if (Array.isArray(secrets) && secrets.length > 0 && secrets.every(filled)) return secrets;
  const isList = Array.isArray(secret);
  const kind = describeKind(isList ? secret.find((each) => !filled(each)) : secret);
  const inList = secret?.length === 0 ? 'an empty array' : `an array with ${kind}`;
  const why = `must be a non-empty string, or a non-empty array of such strings (got ${isList ? inList : kind}). Check whether an environment variable is unset.`;
  throw invalidOption('secret', why);
}
