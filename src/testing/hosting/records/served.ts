import type { Kind, RecordOf } from '../../record.js';

/** Values and functions for rendering a record. */
export interface RenderContext {
  /** URL of the record. */
  readonly url: string;
  /** Base URL of web pages. */
  readonly origin: string;
  /** The repository, as `owner/name`. */
  readonly repo: string;
  /** Renders a user by login. */
  user(login: string): object;
}

/** How the API serves one kind of record below a repository. */
export interface Service<R> {
  /** Name of the resource in errors, such as `Milestone`. */
  readonly resource: string;
  /** Field that identifies a record in paths. Default: `id`. */
  readonly key?: 'id' | 'number' | undefined;
  /** Record that comes first in lists. Default: `oldest`. */
  readonly first?: 'oldest' | 'newest' | undefined;
  /** Fields that requests can set. Default: none, so requests can't create or update records. */
  readonly writable?: readonly (keyof R & string)[] | undefined;
  /** Renders a record, without its `url`. */
  render(record: R, links: RenderContext): object;
}

/** A kind of record that the API serves. */
export type ServedKind<K extends Kind = Kind> = K & { readonly service: Service<RecordOf<K>> };

/**
 * Declares that the API serves the records of a kind. Adds routes to list, get and delete records
 * and, if fields are writable, to create and update them. Callers with read access to the
 * repository can read the records. Callers with push access can also change them.
 */
export function served<K extends Kind>(kind: K, service: Service<RecordOf<K>>): ServedKind<K> {
  return { ...kind, service };
}

/** Returns whether the API serves the records of a kind. */
export function isServed(kind: Kind): kind is ServedKind {
  return 'service' in kind;
}
