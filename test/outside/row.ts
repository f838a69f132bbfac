import { type Emulator, type Repo, seeded } from '../../src/testing/index.js';

/** State that a row can read before and after its request. */
export interface Scene {
  readonly emulator: Emulator;
  /** The emulator's base URL. */
  readonly url: string;
  /** The seed's repository. */
  readonly rocket: Repo;
}

/** Credentials for a request: the seed's token, user password, application secret or license. */
export type Identity = 'token' | 'user' | 'application' | 'license';

/** A request that a third-party client sends to the emulator. */
export interface Row {
  /** HTTP method and path, as in the contract. */
  readonly row: string;
  /** Set if the contract doesn't contain the row. */
  readonly notInContract?: true | undefined;
  /** Distinguishes rows with the same path. */
  readonly how?: string | undefined;
  /**
   * The method's names in the generations of octokit clients. The test calls the first method that
   * the client has.
   */
  readonly methods: readonly string[];
  readonly as?: Identity | undefined;
  readonly parameters: object | ((scene: Scene) => object);
  readonly status: number;
  /** Expected parsed data, derived from the state after the request. Lists must have no additional items. */
  readonly data?: ((scene: Scene) => unknown) | undefined;
  /** Prepares the state. */
  readonly before?: ((scene: Scene) => void) | undefined;
  /** Conditions on the state after the request. Each must be true. */
  readonly after?:
    | ((
        scene: Scene,
      ) => Readonly<Record<string, boolean>> | Promise<Readonly<Record<string, boolean>>>)
    | undefined;
}

/** Parameters for the repository that most rows use. */
export const here = { owner: seeded.owner, repo: seeded.repo };

/** Returns the value, or throws if it is missing. */
export function found<T>(value: T | undefined | null, what: string): T {
  if (value === undefined || value === null) throw new Error(`the emulator has no ${what}`);
  return value;
}
