import * as z from 'zod/mini';

// Every setting can be null or absent, because versions differ and unset settings are null.

/** Optional string. */
export const text = () => z.nullish(z.string());
/** Optional list of strings. */
export const texts = () => z.nullish(z.array(z.string()));
/** Optional boolean. */
export const flag = () => z.nullish(z.boolean());
/** Optional integer. */
export const count = () => z.nullish(z.int());
/** Optional port, as a number or a string of digits. */
export const port = () => z.nullish(z.union([z.int(), z.string()]));
