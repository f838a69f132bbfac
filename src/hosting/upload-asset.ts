import { ConfigurationError, InvalidRequestError } from '../errors.js';
import type { Call } from '../transport/call.js';
import { json } from '../transport/endpoint.js';
import { checkInput, filledText, integer, optional, rule, text } from '../transport/input.js';
import { type RequestSpec, targetOf } from '../transport/request-spec.js';
import { type OnProgress, type UploadData, uploadBody, uploadSource } from '../transport/upload.js';
import { expandUrl } from '../transport/uri-template.js';
import type { HostingCaller, HostingRequestOptions } from './caller.js';
import { ReleaseAsset } from './models/index.js';

/** Input of `releases.uploadAsset`. */
export interface UploadAsset {
  /** The `upload_url` of the release, as the server sent it (a URI template). */
  readonly upload_url: string;
  /** File name of the asset. */
  readonly name: string;
  /** Shown instead of the name, on servers that know labels. */
  readonly label?: string | undefined;
  /** Media type, as `application/zip`. */
  readonly content_type: string;
  /** A path, bytes, a Blob or a Readable. */
  readonly data: UploadData;
  /** Bytes in `data`; required for a Readable, as the server wants a Content-Length. */
  readonly size?: number | undefined;
}

/** Options of `releases.uploadAsset`. */
export interface UploadOptions extends HostingRequestOptions {
  /** Told as bytes go out. */
  readonly onProgress?: OnProgress | undefined;
}

const rules = {
  upload_url: filledText,
  name: filledText,
  label: optional(text),
  content_type: rule(
    'a media type such as application/zip',
    (value) => typeof value === 'string' && /^[\w.+-]+\/[\w.+-]+(?:\s*;[ -~]*)?$/.test(value),
  ),
  data: rule('a path, bytes, a Blob or a Readable', (value) => value !== undefined && value !== ''),
  size: optional(integer(0)),
};

/** POSTs bytes to the place that the server named for them (`public-facts.md`, Releases). */
export function uploadAsset(
  caller: HostingCaller,
  input: UploadAsset,
  options: UploadOptions | undefined,
): Call<ReleaseAsset> {
  return caller.send(
    (headers) => buildUpload(caller, input, options, headers),
    () => json(ReleaseAsset),
    options,
  );
}

function buildUpload(
  caller: HostingCaller,
  input: UploadAsset,
  options: UploadOptions | undefined,
  headers: RequestSpec['headers'],
): RequestSpec {
  const operation = 'releases.uploadAsset';
  checkInput(operation, { ...input }, rules);
  const { settings } = caller.transport;
  const expanded = expandUrl(input.upload_url, { name: input.name, label: input.label });
  if (!URL.canParse(expanded)) {
    throw new InvalidRequestError(
      `${operation}: upload_url: expected the server's own URL template`,
      'upload_url',
    );
  }
  const url = new URL(expanded);
  if (!settings.trustedOrigins.has(url.origin)) {
    throw new ConfigurationError(
      `${operation}: upload_url is on ${url.origin}, which would get the credentials: add it to trustedOrigins if it is the service's own`,
      'trustedOrigins',
    );
  }
  // Older servers offer {?name} only, and ignore nothing: the label goes along where it is wanted.
  if (!url.searchParams.has('name')) url.searchParams.set('name', input.name);
  if (input.label !== undefined) url.searchParams.set('label', input.label);
  const source = uploadSource('data', input.data, input.size);
  if (!source.replayable && input.size === undefined) {
    throw new InvalidRequestError(
      `${operation}: size: required for a stream, as the server wants a Content-Length`,
      'size',
    );
  }
  return {
    operation,
    method: 'POST',
    target: targetOf(url),
    accept: settings.accept,
    headers,
    body: uploadBody(source, input.content_type, options?.onProgress),
    secrets: [],
    auth: undefined,
    replayable: false,
    uncounted: false,
  };
}
