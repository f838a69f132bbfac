import { readFile } from 'node:fs/promises';
import type { Plugin } from 'esbuild';

/**
 * Marks the calls that create models, endpoints and rules for inputs as side-effect-free so that
 * bundlers can drop the unused ones.
 */
export const withoutEffects: Plugin = {
  name: 'without-effects',
  setup(esbuild) {
    esbuild.onLoad(
      { filter: /src[\\/](schemas|\w+[\\/](models|oauth))[\\/][\w-]+\.ts$/ },
      async ({ path }) => {
        const calls =
          /\b(?<!function )(?=(?:model|defineEndpoint|optional|oneOf|unionModel|defineModel|defineList|statsModel|toObjectSchema|toZodSchema)[<(])/g;
        const contents = (await readFile(path, 'utf8')).replace(calls, '/* @__PURE__ */ ');
        return { contents, loader: 'ts' };
      },
    );
  },
};
