/** Inputs for endpoints, collected from list responses. */
export class Samples {
  readonly #general = new Map<string, unknown>([
    ['archive_format', 'tarball'],
    ['type', 'all'],
    ['path', 'README.md'],
  ]);
  readonly #own = new Map<string, unknown>();

  /** Returns a sample input for an operation. Undefined if none was found yet. */
  of(operation: string, name: string): unknown {
    return this.#own.get(`${parseResource(operation)}.${name}`) ?? this.#general.get(name);
  }

  useRepository(owner: string, repo: string, branch: string): void {
    const inputs = { owner, repo, org: owner, username: owner, ref: branch };
    for (const [name, value] of Object.entries(inputs)) this.#general.set(name, value);
  }

  /** Collects the inputs that the first item of a list provides. */
  learnFrom(operation: string, item: unknown): void {
    const place = taught[operation];
    if (place === undefined) return;
    for (const [name, from] of Object.entries(place.inputs)) {
      const value = from.split('.').reduce<unknown>((at, key) => Object(at)[key], item);
      if (value === undefined || value === null) continue;
      const known = name === 'ref' ? String(value).replace(/^refs\//, '') : value;
      this.#own.set(`${place.of}.${name}`, known);
    }
  }
}

/**
 * Inputs for the methods of one resource. Maps each input to the field of a list item that contains
 * the input.
 */
interface Lesson {
  readonly of: string;
  readonly inputs: Readonly<Record<string, string>>;
}

const taught: Readonly<Record<string, Lesson>> = {
  'authorizations.list': { of: 'authorizations', inputs: { id: 'id' } },
  'commitComments.list': { of: 'commitComments', inputs: { id: 'id', ref: 'commit_id' } },
  'downloads.list': { of: 'downloads', inputs: { id: 'id' } },
  'gitRefs.list': { of: 'gitRefs', inputs: { ref: 'ref' } },
  'hooks.list': { of: 'hooks', inputs: { id: 'id' } },
  'pulls.list': { of: 'pulls', inputs: { number: 'number' } },
  'releases.list': { of: 'releases', inputs: { id: 'id', tag: 'tag_name' } },
  'releases.listAssets': { of: 'assets', inputs: { id: 'id' } },
  'teams.listMine': { of: 'teams', inputs: { id: 'id', org: 'organization.login' } },
  'teams.listMembers': { of: 'teams', inputs: { username: 'login' } },
  'contacts.search': { of: 'contacts', inputs: { contact_id: 'id' } },
  'cases.search': { of: 'cases', inputs: { case_id: 'id' } },
};

/**
 * Returns the name of the resource whose IDs an operation uses. Assets don't share IDs with their
 * releases.
 */
function parseResource(operation: string): string {
  const [resource = '', method = ''] = operation.split('.');
  return /Asset$/.test(method) ? 'assets' : resource;
}
