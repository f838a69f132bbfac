import * as z from 'zod/mini';

// Fields that can be null or absent, because server versions differ and unset values are null.

export const optionalText = () => z.nullish(z.string());
export const optionalTexts = () => z.nullish(z.array(z.string()));
export const optionalFlag = () => z.nullish(z.boolean());
export const optionalInteger = () => z.nullish(z.int());
/** Optional port, as a number or a string of digits. */
export const optionalPort = () => z.nullish(z.union([z.int(), z.string()]));
