import type { Readable } from 'node:stream';
import { isRecord } from '../../schema/unknown-values.js';
import { type ApiClient, Resource } from '../../transport/api-client.js';
import type { DownloadOptions } from '../../transport/download/forms.js';
import { buildMediaType, type MediaContext } from '../../transport/http/media-type.js';
import type { AuthOptions } from '../../transport/options.js';
import type { ListOptions } from '../../transport/pagination/paginated.js';
import type { ResponseSpec } from '../../transport/request/endpoint.js';
import { filledText, id, name, type PageInput, rule } from '../../transport/request/input.js';
import type { HostingAuth } from '../auth/schemes.js';

/** API client with credentials for the hosting API. */
export type HostingApi = ApiClient<HostingAuth>;

export abstract class HostingResource extends Resource<HostingAuth> {}

/** Options for one call. `auth` overrides the client's credentials. */
export type HostingRequestOptions = AuthOptions<HostingAuth>;

/** Options for a list method. */
export type HostingListOptions = HostingRequestOptions & ListOptions;

/** Options for a download, including its destination: bytes, a stream or a file. */
export type HostingDownloadOptions = DownloadOptions<HostingAuth>;

/** Input that identifies a repository. */
export interface RepoInput {
  /** Login of the user or organization that owns the repository. */
  readonly owner: string;
  /** Name of the repository, without the owner. */
  readonly repo: string;
}

/** Input that identifies a repository and selects a page of one of its lists. */
export interface RepoListInput extends RepoInput, PageInput {}

/** Input that identifies an object in a repository by its numeric ID. */
export interface RepoIdInput extends RepoInput {
  /** Numeric ID. */
  readonly id: number;
}

/** Validation rules for {@link RepoInput}. */
export const inRepo = { owner: name, repo: name };

/** Validation rules for {@link RepoIdInput}. */
export const inRepoById = { ...inRepo, id };

/** Validates a commit's author or committer. */
export const person = rule(
  'an object { name, email } of non-empty strings',
  (value) => isRecord(value) && filledText.test(value.name) && filledText.test(value.email),
  {
    type: 'object',
    properties: { name: filledText.schema, email: filledText.schema },
    required: ['name', 'email'],
  },
);

/** Endpoint settings for the `mediaType` input, which is sent in the `Accept` header. */
export const inVariant = (resource?: 'commitcomment') => ({
  unsent: ['mediaType'],
  accept: (media: MediaContext, { mediaType }: { readonly mediaType?: string | undefined }) =>
    buildMediaType(mediaType === undefined ? media : { ...media, resource, variant: mediaType }),
});

/**
 * Response with a file's unbuffered bytes. Rejects an HTML page, such as a proxy's sign-in page,
 * unless the file's name or the request indicates HTML, or the page is an attachment.
 */
export const bytesStream = {
  kind: 'stream',
  schema: undefined,
  typeMismatch: (type, { headers, url }, accept) =>
    type === 'text/html' &&
    headers['content-disposition'] === undefined &&
    !/\.x?html?$/i.test(url.replace(/\?.*/, '')) &&
    !accept.includes(type)
      ? 'the body is an HTML page, such as a sign-in page, instead of the file. If the file itself is HTML, add text/html to headers.accept.'
      : undefined,
  // `as`: for `kind: 'stream'` the transport passes a Readable.
  map: (value: unknown) => value as Readable,
} satisfies ResponseSpec<Readable>;
