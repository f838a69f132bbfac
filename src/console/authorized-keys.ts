import type { JsonCall } from '../transport/api-client.js';
import { defineEndpoint, list } from '../transport/request/endpoint.js';
import { createInputError, rule, text } from '../transport/request/input.js';
import { createMultipartBody } from '../transport/upload/multipart.js';
import { createUploadSource } from '../transport/upload/upload.js';
import { type ConsoleRequestOptions, ConsoleResource, type Form, withForm } from './common.js';
import { AuthorizedKey } from './models/index.js';
import { readSmallFile, type SmallFile } from './small-file.js';

/** Input of `authorizedKeys.add` and `authorizedKeys.delete`. */
export interface AuthorizedKeyInput {
  /**
   * Public key, as text (`ssh-ed25519 AAAA… comment`) or as a file. A file can be a path (string or
   * `file:` URL), bytes, a Blob, a Readable or a ReadableStream. Like `authorized_keys`, the file
   * can contain several keys, with or without options.
   */
  readonly authorized_key: SmallFile;
}

const keys = list(AuthorizedKey);

const path = '/setup/api/settings/authorized-keys';

const listEndpoint = defineEndpoint<object>(`GET ${path}`)({
  operation: 'authorizedKeys.list',
  input: {},
  response: keys,
});

// The key is validated when it is read.
const key = rule(
  'a public key as text, or its file: a path, bytes (Uint8Array), a Blob, a Readable or a ReadableStream',
  () => true,
  text.schema,
);

const changing = {
  input: { authorized_key: key },
  encoding: 'multipart',
  retry: 'unsent',
  response: keys,
} as const;

async function readForm({ authorized_key }: AuthorizedKeyInput): Promise<Form> {
  const source = createUploadSource('authorized_key', Buffer.from(await readKey(authorized_key)));
  const part = { name: 'authorized_key', source, filename: 'authorized_key.pub' };
  return { body: createMultipartBody([part], undefined), secrets: [] };
}

const addKey = withForm(
  defineEndpoint<AuthorizedKeyInput>(`POST ${path}`)({
    ...changing,
    operation: 'authorizedKeys.add',
  }),
  readForm,
);
const deleteKey = withForm(
  defineEndpoint<AuthorizedKeyInput>(`DELETE ${path}`)({
    ...changing,
    operation: 'authorizedKeys.delete',
  }),
  readForm,
);

/** SSH keys with access to the appliance. */
export class AuthorizedKeys extends ConsoleResource {
  /**
   * `GET /setup/api/settings/authorized-keys`
   *
   * Lists the SSH keys with access to the appliance.
   * @example const keys = await appliance.authorizedKeys.list();
   */
  list(options?: ConsoleRequestOptions): JsonCall<AuthorizedKey[]> {
    return this.api.call(listEndpoint, {}, options);
  }

  /**
   * `POST /setup/api/settings/authorized-keys`
   *
   * Adds an SSH key.
   * @returns The array contains all keys, including the new key.
   * @throws {InvalidRequestError} if the input is empty, is a private key, or can't be read. No
   * request is sent.
   * @example await appliance.authorizedKeys.add({ authorized_key: 'id_ed25519.pub' });
   */
  add(input: AuthorizedKeyInput, options?: ConsoleRequestOptions): JsonCall<AuthorizedKey[]> {
    return this.api.call(addKey, input, options);
  }

  /**
   * `DELETE /setup/api/settings/authorized-keys`
   *
   * Removes an SSH key.
   * @returns The array contains the remaining keys.
   * @throws {InvalidRequestError} if the input is empty, is a private key, or can't be read. No
   * request is sent.
   * @example await appliance.authorizedKeys.delete({ authorized_key: 'id_ed25519.pub' });
   */
  delete(input: AuthorizedKeyInput, options?: ConsoleRequestOptions): JsonCall<AuthorizedKey[]> {
    return this.api.call(deleteKey, input, options);
  }
}

/** Matches a key pasted as text. If it were read as a path, the error would quote the key. */
const pastedKey = /[\r\n]|PRIVATE KEY|^\s*(?:ssh|ecdsa|sk)-\S+\s|\s(?:ssh|ecdsa|sk)-\S+\sAAAA/;

/**
 * Reads a key's text.
 * @throws {InvalidRequestError} if the text is a private key or empty.
 */
async function readKey(given: SmallFile): Promise<string> {
  const isPasted = typeof given === 'string' && pastedKey.test(given);
  const text = isPasted ? given : (await readSmallFile('authorized_key', given)).toString('utf8');
  if (!/PRIVATE KEY|^PuTTY-User-Key-File/m.test(text) && text.trim() !== '') return text.trim();
  const why = text.trim() === '' ? 'must not be empty' : 'must not be a private key';
  throw createInputError(
    'authorized_key',
    `${why}. Pass a public key, such as the content of id_ed25519.pub.`,
  );
}
