import * as z from 'zod/mini';

// Every field of the settings may be null or missing: versions differ, and what is unset is null.

/** Any text. */
export const text = () => z.nullish(z.string());
/** Several texts. */
export const texts = () => z.nullish(z.array(z.string()));
/** True or false. */
export const flag = () => z.nullish(z.boolean());
/** A whole number. */
export const count = () => z.nullish(z.int());
/** Ports come as numbers or as strings of digits. */
export const port = () => z.nullish(z.union([z.int(), z.string()]));
