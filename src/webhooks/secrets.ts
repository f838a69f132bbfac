import { ConfigurationError } from '../errors/index.js';

/** The secret of a hook; several while it is rotated. */
export type Secret = string | readonly string[];

/**
 * A secret that is empty or missing would let anyone in, or nobody.
 * @throws {ConfigurationError}
 */
export function secretsOf(secret: Secret | undefined): readonly string[] {
  const secrets = typeof secret === 'string' ? [secret] : secret;
  const filled = (each: unknown) => typeof each === 'string' && each !== '';
  if (Array.isArray(secrets) && secrets.length > 0 && secrets.every(filled)) return secrets;
  throw new ConfigurationError(
    'secret: expected a string that is not empty, or several of them; is an environment variable unset?',
    { option: 'secret' },
  );
}
