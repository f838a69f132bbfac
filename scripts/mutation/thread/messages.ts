/** The channel between Stryker's process and the thread that has the tests. */
export const channel = 'mutation';

/** The fault that is active where Stryker instrumented the sources: what its own runners set. */
export interface Instrumented {
  activeMutant?: string | undefined;
  currentTestId?: string | undefined;
  hitCount?: number | undefined;
  hitLimit?: number | undefined;
  mutantCoverage?: Coverage | undefined;
}

export interface Coverage {
  static: Record<string, number>;
  perTest: Record<string, Record<string, number>>;
}

/** Tests to run; without a fault, to see whether they pass and where they come by. */
export interface Order {
  readonly kind: 'run';
  readonly files: readonly string[];
  /** Tests of those files, by their id; all where absent. */
  readonly tests?: readonly string[] | undefined;
  readonly fault?: string | undefined;
  readonly hitLimit?: number | undefined;
  /** How long a test may take, in milliseconds; as long as in other runs where absent. */
  readonly limit?: number | undefined;
}

export interface Ran {
  readonly id: string;
  readonly name: string;
  readonly file: string;
  readonly ms: number;
  readonly state: 'passed' | 'failed' | 'skipped';
  readonly message: string;
}

export interface Answer {
  readonly kind: 'ran';
  readonly tests: readonly Ran[];
  readonly hitCount: number | undefined;
  readonly coverage: Coverage | undefined;
}

export type Message = Order | Answer | { readonly kind: 'ready' | 'end' };
