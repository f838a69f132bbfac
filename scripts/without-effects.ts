import { readFile } from 'node:fs/promises';
import type { Plugin } from 'esbuild';

/**
 * Marks the calls that create models as side-effect-free so that bundlers can drop unused models.
 */
export const withoutEffects: Plugin = {
  name: 'without-effects',
  setup(esbuild) {
    esbuild.onLoad(
      { filter: /src[\\/](schemas|\w+[\\/]models)[\\/][\w-]+\.ts$/ },
      async ({ path }) => {
        const calls =
          /\b(?<!function )(?=(?:model|unionModel|defineModel|defineList|statsModel|toObjectSchema|toZodSchema)[<(])/g;
        const contents = (await readFile(path, 'utf8')).replace(calls, '/* @__PURE__ */ ');
        return { contents, loader: 'ts' };
      },
    );
  },
};
