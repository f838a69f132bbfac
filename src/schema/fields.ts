import type { core } from 'zod';
import * as z from 'zod/mini';

export type ZodSchema = core.$ZodType;

/** Union of the space-separated words in a string type. */
export type Words<Text extends string> = Text extends `${infer Word} ${infer More}`
  ? Word | Words<More>
  : Text;

/**
 * Declares several fields of the same type in a model's shape, each with its own schema:
 * `...fields(z.int, 'id size')`.
 */
export function fields<const Names extends string, Field extends ZodSchema>(
  make: () => Field,
  names: Names,
): Readonly<Record<Words<Names>, Field>> {
  const made = names.split(' ').map((name) => [name, make()] as const);
  // `as`: the keys are the words in `names`.
  return Object.fromEntries(made) as Record<Words<Names>, Field>;
}

// Fields that can be null or absent, because server versions differ and unset values are null.

export const optionalText = () => z.nullish(z.string());
export const optionalTexts = () => z.nullish(z.array(z.string()));
export const optionalFlag = () => z.nullish(z.boolean());
export const optionalInteger = () => z.nullish(z.int());
/** Optional port, as a number or a string of digits. */
export const optionalPort = () => z.nullish(z.union([z.int(), z.string()]));
