import type { Readable } from 'node:stream';
import type { ResponseSpec } from '../../transport/request/endpoint.js';

/** Response with an unbuffered body of any type. */
export const bytesStream: ResponseSpec<Readable> = {
  kind: 'stream',
  schema: undefined,
  // `as`: for `kind: 'stream'` the transport passes a Readable.
  map: (value) => value as Readable,
};

/**
 * Media types of JSON descriptions. Raw content may be labeled `….raw+json`, which must not match.
 */
const description = /^(?:application|text)\/json$|\.(?:v3|beta)\+json$/;

const directory =
  "the body is JSON instead of raw content. If the path is a directory or a submodule, use contents.get. Otherwise, set the vendor option to the vendor name in the server's media types.";

/**
 * Response with the unbuffered bytes of a file. Directories and submodules have no raw content, so
 * the server responds with a JSON description, which must not be mistaken for file content.
 */
export const rawFileStream: ResponseSpec<Readable> = {
  ...bytesStream,
  typeMismatch: (type) => (description.test(type) ? directory : undefined),
};
