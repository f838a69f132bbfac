import type { Readable } from 'node:stream';
import type { Answer } from '../../transport/request/endpoint.js';

/** An unbuffered body of any type. */
export const bytesStream: Answer<Readable> = {
  kind: 'stream',
  schema: undefined,
  // `as`: the transport hands out a Readable for this kind.
  map: (value) => value as Readable,
};

/** Media types of JSON that describes something; raw content may be labelled `….raw+json`. */
const description = /^(?:application|text)\/json$|\.(?:v3|beta)\+json$/;

const directory =
  'raw content was expected and JSON came: the path is a directory or a submodule (use contents.get), or the server has another word in its media types (the option vendor)';

/**
 * An unbuffered raw file. Raw is not to be had of directories and submodules: a server then answers
 * the plain JSON description, which must not pass for the file.
 */
export const rawFileStream: Answer<Readable> = {
  ...bytesStream,
  refuses: (type) => (description.test(type) ? directory : undefined),
};
