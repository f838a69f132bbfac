import { BoundedMap } from '../../transport/request/bounded-map.js';
import type { Credentials } from '../../transport/request/credentials.js';

/** Number of credentials whose secrets are kept. A larger number would slow down masking. */
const mostRecent = 20;

/**
 * Secrets of the credentials that a function returned most recently. A server may repeat those of
 * an earlier request, such as the previous page of a list.
 */
export class RecentSecrets {
  /** By credential. */
  readonly #secrets = new BoundedMap<string, readonly string[]>(mostRecent);

  /** Returns the credentials with the secrets of the earlier ones added. */
  addTo(credentials: Credentials | undefined): Credentials | undefined {
    if (credentials) this.#secrets.set(credentials.fingerprint, credentials.secrets);
    if (this.#secrets.size === (credentials ? 1 : 0)) return credentials;
    return { ...(credentials ?? nothing), secrets: [...this.#secrets.values()].flat() };
  }
}

/** Equivalent to no credentials. */
const nothing: Omit<Credentials, 'secrets'> = {
  headers: {},
  parameters: '',
  parametersIn: 'query',
  fingerprint: '',
};
