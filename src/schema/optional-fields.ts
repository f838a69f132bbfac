import * as z from 'zod/mini';

// Fields that can be null or absent, because versions differ and unset values are null.

/** Optional string. */
export const optionalText = () => z.nullish(z.string());
/** Optional list of strings. */
export const optionalTexts = () => z.nullish(z.array(z.string()));
/** Optional boolean. */
export const optionalFlag = () => z.nullish(z.boolean());
/** Optional integer. */
export const optionalInteger = () => z.nullish(z.int());
/** Optional port, as a number or a string of digits. */
export const optionalPort = () => z.nullish(z.union([z.int(), z.string()]));
