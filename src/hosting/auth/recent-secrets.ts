import { BoundedMap } from '../../transport/request/bounded-map.js';
import type { Credentials } from '../../transport/request/credentials.js';

/** Number of credentials whose secrets are remembered. More would slow down each masked text. */
const mostRecent = 20;

/**
 * Secrets of the credentials that one function returned last. A server may repeat those of an earlier
 * request, such as the one for the page or the part before.
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

/** Sent like no credentials. */
const nothing: Omit<Credentials, 'secrets'> = {
  headers: {},
  parameters: '',
  parametersIn: 'query',
  fingerprint: '',
};
