import { BoundedMap } from '../../transport/request/bounded-map.js';
import type { Credentials } from '../../transport/request/credentials.js';

/** Number of credentials whose secrets stay masked. A larger number would slow down masking. */
const maxRecent = 20;

/**
 * Secrets of the credentials that the `auth` function returned most recently. A server can echo an
 * earlier request's secrets, for example from the previous page of a list.
 */
export class RecentSecrets {
  /** Secrets by credentials fingerprint. */
  readonly #secrets = new BoundedMap<string, readonly string[]>(maxRecent);

  /** Adds the secrets of earlier credentials to the passed credentials. */
  addTo(credentials: Credentials | undefined): Credentials | undefined {
    if (credentials) this.#secrets.set(credentials.fingerprint, credentials.secrets);
    if (this.#secrets.size === (credentials ? 1 : 0)) return credentials;
    return { ...(credentials ?? nothing), secrets: [...this.#secrets.values()].flat() };
  }
}

/** Empty credentials, to which secrets can be added. */
const nothing: Omit<Credentials, 'secrets'> = {
  headers: {},
  parameters: '',
  parametersIn: 'query',
  fingerprint: '',
};
