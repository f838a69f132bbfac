import { recipes } from '../.vitepress/recipes.js';

/** A page for each program of `examples/`: what its first comment says, then its code. */
export default {
  paths: () =>
    recipes().map(({ name, title, text, code }) => ({
      params: { name },
      content: `# ${title}\n\n${text.replaceAll('](../docs/', '](../')}\n\n\`\`\`ts\n${code}\`\`\`\n`,
    })),
};
