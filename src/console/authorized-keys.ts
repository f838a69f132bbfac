import type { JsonCall } from '../transport/call.js';
import { callNames } from '../transport/call-settings.js';
import { endpoint, list } from '../transport/request/endpoint.js';
import { rule } from '../transport/request/input.js';
import { buildRequest } from '../transport/request/request-spec.js';
import { extraFields, multipartBody } from '../transport/upload/multipart.js';
import { uploadSource } from '../transport/upload/upload.js';
import { type ConsoleRequestOptions, ConsoleResource } from './common.js';
import { AuthorizedKey } from './models/index.js';
import { readSmallFile, type SmallFile } from './small-file.js';
import { checkSshKey } from './ssh-key.js';

/** Input of `authorizedKeys.add` and `authorizedKeys.delete`. */
export interface AuthorizedKeyInput {
  /**
   * A public key: its text (`ssh-ed25519 AAAA… comment`), or its file as a path (string or `file:`
   * URL), bytes, a Blob or a Readable. A file may have several keys, and options before them, as in
   * `authorized_keys`.
   */
  readonly authorized_key: SmallFile;
}

const keys = list(AuthorizedKey);

const path = '/setup/api/settings/authorized-keys';

const listEndpoint = endpoint<object>(`GET ${path}`)({
  operation: 'authorizedKeys.list',
  input: {},
  answer: keys,
});

// What it must be is checked where it is read.
const key = rule(
  'a public key, or its file as a path, bytes (Uint8Array), a Blob or a Readable',
  () => true,
);

const changing = {
  input: { authorized_key: key },
  encoding: 'multipart',
  retry: 'unsent',
  answer: keys,
} as const;
const addEndpoint = endpoint<AuthorizedKeyInput>(`POST ${path}`)({
  ...changing,
  operation: 'authorizedKeys.add',
});
const deleteEndpoint = endpoint<AuthorizedKeyInput>(`DELETE ${path}`)({
  ...changing,
  operation: 'authorizedKeys.delete',
});

/** SSH keys that may log in to the appliance. */
export class AuthorizedKeys extends ConsoleResource {
  /**
   * `GET /setup/api/settings/authorized-keys`
   *
   * The keys that may log in by SSH.
   * @example await appliance.authorizedKeys.list();
   */
  list(options?: ConsoleRequestOptions): JsonCall<AuthorizedKey[]> {
    return this.api.call(listEndpoint, {}, options);
  }

  /**
   * `POST /setup/api/settings/authorized-keys`
   *
   * Adds a key.
   * @returns the keys after the addition.
   * @throws {InvalidRequestError} the input is not a public key (for example a private one), or can't be read. Nothing is sent.
   * @example await appliance.authorizedKeys.add({ authorized_key: 'id_ed25519.pub' });
   */
  add(input: AuthorizedKeyInput, options?: ConsoleRequestOptions): JsonCall<AuthorizedKey[]> {
    return this.#send(addEndpoint, input, options);
  }

  /**
   * `DELETE /setup/api/settings/authorized-keys`
   *
   * Removes a key.
   * @returns the keys after the removal.
   * @throws {InvalidRequestError} as for `add`.
   * @example await appliance.authorizedKeys.delete({ authorized_key: 'id_ed25519.pub' });
   */
  delete(input: AuthorizedKeyInput, options?: ConsoleRequestOptions): JsonCall<AuthorizedKey[]> {
    return this.#send(deleteEndpoint, input, options);
  }

  #send(
    definition: typeof addEndpoint,
    input: AuthorizedKeyInput,
    options?: ConsoleRequestOptions,
  ): JsonCall<AuthorizedKey[]> {
    return this.api.send(
      (context) => {
        const spec = buildRequest(definition, input, context);
        const more = extraFields(spec.operation, context.extra);
        const read = async () => {
          const text = await readKey(input.authorized_key);
          const source = uploadSource('authorized_key', Buffer.from(text));
          const part = { name: 'authorized_key', source, filename: 'authorized_key.pub' };
          return { body: multipartBody([...more, part], undefined), secrets: spec.secrets };
        };
        return { ...spec, read };
      },
      () => keys,
      options,
      callNames,
      input,
    );
  }
}

/**
 * The text of a key.
 * @throws {InvalidRequestError} no public key.
 */
async function readKey(given: SmallFile): Promise<string> {
  // A private key pasted here must not be taken for a path, which an error would quote.
  const pasted = /[\r\n]|PRIVATE KEY|^\s*(?:ssh|ecdsa|sk)-\S+\s|\s(?:ssh|ecdsa|sk)-\S+\sAAAA/;
  if (typeof given === 'string' && pasted.test(given)) return checkSshKey(given);
  return checkSshKey((await readSmallFile('authorized_key', given)).toString('utf8'));
}
