import { ConfigurationError } from '../../errors/index.js';
import type { OptionNames } from '../../option-names.js';
import type { JsonCall } from '../../transport/api-client.js';
import { callNames } from '../../transport/options.js';
import { mediaTypes } from '../../transport/request/body.js';
import { defineEndpoint, json, unspecified } from '../../transport/request/endpoint.js';
import {
  checkInput,
  createInputError,
  filledText,
  integer,
  optional,
  rule,
  text,
} from '../../transport/request/input.js';
import {
  type BuildContext,
  formatUrl,
  httpsRule,
  parseTarget,
  type RequestSpec,
  resolveNamedUrl,
} from '../../transport/request/request-spec.js';

import { expandUrlTemplate } from '../../transport/request/uri-template.js';
import type { OnProgress } from '../../transport/upload/open.js';
import {
  chooseFilename,
  createUploadBody,
  createUploadSource,
  type UploadData,
} from '../../transport/upload/upload.js';
import { ReleaseAsset } from '../models/index.js';
import { type HostingApi, type HostingRequestOptions, inRepoById } from './common.js';

/** Input of `releases.uploadAsset`. */
export interface UploadAsset {
  /** URL template from the release's `upload_url` field. Pass it unchanged. */
  readonly upload_url: string;
  /**
   * File name of the asset. Required unless `data` is a path or a `File`. Default: the path's last
   * segment, or the `File`'s name.
   */
  readonly name?: string | undefined;
  /** Text to show instead of the name. Some servers don't support labels. */
  readonly label?: string | undefined;
  /**
   * Media type, for example `application/zip`. Default: derived from the file name's extension, or
   * `application/octet-stream` if the extension is unknown.
   */
  readonly content_type?: string | undefined;
  /**
   * Content of the asset: a file path (string or `file:` URL), bytes, a Blob, a Readable or a
   * ReadableStream.
   */
  readonly data: UploadData;
  /**
   * Size of `data` in bytes. Required for a stream, because the server requires a `Content-Length`
   * header.
   */
  readonly size?: number | undefined;
}

/** Options for `releases.uploadAsset`. */
export interface UploadOptions extends HostingRequestOptions {
  /** Callback that the client calls as it sends bytes. Default: none. */
  readonly onProgress?: OnProgress | undefined;
}

const names: OptionNames<UploadOptions> = { ...callNames, onProgress: true };

const contentTypes: ReadonlyMap<string, string> = new Map(
  Object.entries({
    apk: 'application/vnd.android.package-archive',
    asc: 'application/pgp-signature',
    bz2: 'application/x-bzip2',
    deb: 'application/vnd.debian.binary-package',
    gz: 'application/gzip',
    html: 'text/html',
    jar: 'application/java-archive',
    json: 'application/json',
    md: 'text/markdown',
    pdf: 'application/pdf',
    png: 'image/png',
    rpm: 'application/x-rpm',
    svg: 'image/svg+xml',
    tar: 'application/x-tar',
    tgz: 'application/gzip',
    txt: 'text/plain',
    xml: 'application/xml',
    xz: 'application/x-xz',
    zip: 'application/zip',
    zst: 'application/zstd',
  }),
);

function contentTypeOf(name: string | undefined): string {
  const extension = /\.(\w+)$/.exec(String(name))?.[1]?.toLowerCase() ?? '';
  return contentTypes.get(extension) ?? mediaTypes.bytes;
}

const parameters = { name: filledText, label: optional(text) };

/**
 * Declares the upload's rules and response. The actual URL comes from a release's `upload_url`, not
 * from this path.
 */
const uploadEndpoint = defineEndpoint<UploadAsset>(
  'POST /repos/{owner}/{repo}/releases/{id}/assets',
)({
  operation: 'releases.uploadAsset',
  input: {
    ...parameters,
    upload_url: filledText,
    content_type: {
      ...rule(
        'a media type such as application/zip',
        (value) => typeof value === 'string' && /^[\w.+-]+\/[\w.+-]+(?:\s*;[ -~]*)?$/.test(value),
      ),
      shown: true,
    },
    data: rule(
      'a path, bytes (Uint8Array), a Blob, a Readable or a ReadableStream',
      (value) => value !== undefined && value !== '',
    ),
    size: optional(integer(0)),
  },
  fields: { ...inRepoById, ...parameters },
  encoding: 'bytes',
  response: unspecified(json(ReleaseAsset)),
});

/** Posts an asset's bytes to the URL that the server provided. */
export function uploadAsset(
  api: HostingApi,
  input: UploadAsset,
  options?: UploadOptions,
): JsonCall<ReleaseAsset> {
  return api.call(
    {
      ...uploadEndpoint,
      build: (given, context) => buildUpload(api, given, options, context),
      destroysStreams: true,
    },
    input,
    options,
    names,
  );
}

function buildUpload(
  api: HostingApi,
  given: UploadAsset,
  options: UploadOptions | undefined,
  context: BuildContext,
): RequestSpec {
  const { operation, input: rules } = uploadEndpoint;
  const name = given?.name ?? (chooseFilename(given?.data, '') || undefined);
  const input = { ...given, name, content_type: given?.content_type ?? contentTypeOf(name) };
  checkInput(operation, input, rules, context.optionNames);
  const { settings } = api.transport;
  const expanded = expandUrlTemplate(input.upload_url, { name: input.name, label: input.label });
  if (!URL.canParse(expanded)) {
    throw createInputError('upload_url', "must be a release's unchanged upload_url", operation);
  }
  const { credentialParameters } = context;
  const named = resolveNamedUrl(
    new URL(expanded),
    { origin: context.base.origin, trusted: true },
    { trustedOrigins: settings.trustedOrigins, credentialParameters },
  );
  if (typeof named === 'string') {
    throw createInputError(
      'upload_url',
      named === 'insecure' ? httpsRule : 'must be an http or https URL',
      operation,
    );
  }
  if (!named.trusted) {
    throw new ConfigurationError(
      `${operation}: upload_url: must be on a trusted origin, because the request contains credentials (got ${named.target.origin}). If the origin belongs to the service, add it to trustedOrigins.`,
      { option: 'trustedOrigins' },
    );
  }
  const url = new URL(formatUrl(named.target));
  // Sets the label here, because older servers' templates contain only {?name}.
  if (!url.searchParams.has('name')) url.searchParams.set('name', String(name));
  if (input.label !== undefined) url.searchParams.set('label', input.label);
  const source = createUploadSource('data', input.data, input.size);
  if (!source.replayable && input.size === undefined) {
    throw createInputError(
      'size',
      'is required for a stream, because the server requires a Content-Length header',
      operation,
    );
  }
  return {
    operation,
    method: 'POST',
    target: parseTarget(url),
    accept: context.accept,
    headers: context.headers,
    body: createUploadBody(source, input.content_type, options?.onProgress),
    secrets: context.secrets,
    auth: undefined,
    retry: 'refused',
    exemptFromLimits: false,
  };
}
