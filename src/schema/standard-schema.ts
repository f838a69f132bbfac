/**
 * The Standard Schema interface (https://standardschema.dev, version 1), as far as it is used here.
 * zod 3.24+, zod 4, valibot, arktype and every `Model` of this package implement it.
 */
export interface StandardSchema<Output = unknown> {
  /** What the interface is known by. */
  readonly '~standard': {
    /** Always 1. */
    readonly version: 1;
    /** Name of the library. */
    readonly vendor: string;
    /** Judges a value. */
    readonly validate: (
      value: unknown,
    ) => StandardResult<Output> | PromiseLike<StandardResult<Output>>;
    /** Types of what goes in and comes out; no value. */
    readonly types?: { readonly input: unknown; readonly output: Output } | undefined;
  };
}

/** What a Standard Schema's `validate` answers: a value, or the issues found. */
export type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] };

/** One reason why a value does not fit its schema. */
export interface StandardIssue {
  /** What is wrong. */
  readonly message: string;
  /** Where it is wrong, key by key. */
  readonly path?: ReadonlyArray<PropertyKey | { readonly key: PropertyKey }> | undefined;
}
