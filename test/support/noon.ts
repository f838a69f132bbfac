/** Options for an emulator with a fixed clock, for tests that compare times. */
export const noon = { clock: '2014-06-01T12:00:00Z' } as const;
