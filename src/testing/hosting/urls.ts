import type { HostingContext } from './context.js';
import type { Repo } from './records/repository.js';

/** Returns the URL of a repository in the API. */
export function repoUrl({ api }: HostingContext, { owner, name }: Repo): string {
  return `${api}/repos/${owner}/${name}`;
}

/** Returns the URL of a repository's web page. */
export function webUrl({ origin }: HostingContext, { owner, name }: Repo): string {
  return `${origin}/${owner}/${name}`;
}
