import { type Call, callOf, type ResponseHolder } from '../transport/call.js';
import { endpoint, list } from '../transport/endpoint.js';
import { rule } from '../transport/input.js';
import { multipartBody } from '../transport/multipart.js';
import { checkHeaders } from '../transport/options.js';
import { buildRequest } from '../transport/request-spec.js';
import { uploadSource } from '../transport/upload.js';
import type { ConsoleCaller, ConsoleRequestOptions } from './caller.js';
import { AuthorizedKey } from './models/index.js';
import { readSmallFile, type SmallFile } from './small-file.js';
import { checkSshKey } from './ssh-key.js';

/** Input of `authorizedKeys.add` and `authorizedKeys.remove`. */
export interface AuthorizedKeyInput {
  /**
   * A public key: its text (`ssh-ed25519 AAAA… comment`), or its file as a path (string or `file:`
   * URL), bytes, a Blob or a Readable.
   */
  readonly authorized_key: SmallFile;
}

const path = '/setup/api/settings/authorized-keys';

const listEndpoint = endpoint<object>()({
  operation: 'authorizedKeys.list',
  method: 'GET',
  path,
  input: {},
  answer: list(AuthorizedKey),
});

const key = rule(
  'a public key, or its file as a path, bytes (Uint8Array), a Blob or a Readable',
  (value) => value !== '' && value !== null,
);

function changing(operation: string, method: 'POST' | 'DELETE') {
  return endpoint<AuthorizedKeyInput>()({
    operation,
    method,
    path,
    input: { authorized_key: key },
    // The form is made of the key that was read.
    wire: () => ({}),
    answer: list(AuthorizedKey),
  });
}

const addEndpoint = changing('authorizedKeys.add', 'POST');
const removeEndpoint = changing('authorizedKeys.remove', 'DELETE');

/** SSH keys that may log in to the appliance (contract: authorized-keys). */
export class AuthorizedKeys {
  readonly #caller: ConsoleCaller;

  constructor(caller: ConsoleCaller) {
    this.#caller = caller;
  }

  list(options?: ConsoleRequestOptions): Call<AuthorizedKey[]> {
    return this.#caller.call(listEndpoint, {}, options);
  }

  /**
   * Adds a key.
   * @returns the keys after the addition.
   * @throws {InvalidRequestError} what is given is no public key (a private one, for example), or can't be read; nothing is sent then.
   */
  add(input: AuthorizedKeyInput, options?: ConsoleRequestOptions): Call<AuthorizedKey[]> {
    return this.#send(addEndpoint, input, options);
  }

  /**
   * Removes a key.
   * @returns the keys after the removal.
   * @throws {InvalidRequestError} as for `add`.
   */
  remove(input: AuthorizedKeyInput, options?: ConsoleRequestOptions): Call<AuthorizedKey[]> {
    return this.#send(removeEndpoint, input, options);
  }

  #send(
    definition: typeof addEndpoint,
    input: AuthorizedKeyInput,
    options: ConsoleRequestOptions | undefined,
  ): Call<AuthorizedKey[]> {
    const holder: ResponseHolder = { response: undefined };
    return callOf(this.#run(definition, input, options, holder), holder);
  }

  async #run(
    definition: typeof addEndpoint,
    input: AuthorizedKeyInput,
    options: ConsoleRequestOptions | undefined,
    holder: ResponseHolder,
  ): Promise<AuthorizedKey[]> {
    const { base, media, accept } = this.#caller.transport.settings;
    const headers = checkHeaders(options?.headers);
    const spec = buildRequest(definition, input, { base, media, accept, headers });
    const text = await readKey(input.authorized_key);
    const body = multipartBody(
      [
        {
          name: 'authorized_key',
          source: uploadSource('authorized_key', Buffer.from(text)),
          filename: 'authorized_key.pub',
        },
      ],
      undefined,
    );
    const { answer } = definition;
    const wanted = typeof answer === 'function' ? answer(input) : answer;
    return await this.#caller.run({ ...spec, body }, wanted, options, holder);
  }
}

/**
 * The text of a key.
 * @throws {InvalidRequestError} no public key.
 */
async function readKey(given: SmallFile): Promise<string> {
  // A private key pasted here must not be taken for a path, which an error would quote.
  const pasted = /[\r\n]|PRIVATE KEY|^\s*(?:ssh|ecdsa|sk)-\S+\s/;
  if (typeof given === 'string' && pasted.test(given)) return checkSshKey(given);
  return checkSshKey((await readSmallFile('authorized_key', given)).toString('utf8'));
}
