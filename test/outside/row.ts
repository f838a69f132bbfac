import { type Emulator, type Repo, seeded } from '../../src/testing/index.js';

/** What a row can look at: before it is asked, and after. */
export interface Scene {
  readonly emulator: Emulator;
  /** Where the emulator listens. */
  readonly url: string;
  /** The seed's repository. */
  readonly rocket: Repo;
}

/** How somebody asks: with the seed's token, its user's password, or its application's secret. */
export type Identity = 'token' | 'user' | 'application';

/** Something that a client that is not ours asks of the emulator. */
export interface Row {
  /** Method and path, as the contract has them. */
  readonly row: string;
  /** It is no row of the contract. */
  readonly outside?: true | undefined;
  /** Tells rows of one path apart. */
  readonly how?: string | undefined;
  /** Names of the method in clients of any era: the first that a client knows is called. */
  readonly methods: readonly string[];
  readonly as?: Identity | undefined;
  readonly parameters: object | ((scene: Scene) => object);
  readonly status: number;
  /** What the parsed data must have, as the state has it once it was asked. Lists have nothing else. */
  readonly data?: ((scene: Scene) => unknown) | undefined;
  /** Sets the scene. */
  readonly before?: ((scene: Scene) => void) | undefined;
  /** What must hold of the state afterwards: each of these is true. */
  readonly after?:
    | ((
        scene: Scene,
      ) => Readonly<Record<string, boolean>> | Promise<Readonly<Record<string, boolean>>>)
    | undefined;
}

/** The repository that most rows are about, as parameters. */
export const here = { owner: seeded.owner, repo: seeded.repo };

/** The value, which must be there. */
export function found<T>(value: T | undefined | null, what: string): T {
  if (value === undefined || value === null) throw new Error(`the emulator has no ${what}`);
  return value;
}
