import { fileURLToPath } from 'node:url';
import { slug } from 'github-slugger';
import { defineConfig } from 'vitepress';
import llmstxt from 'vitepress-plugin-llms';
import { formatPageName } from '../../scripts/docs/endpoint-pages.js';
import { version } from '../../src/version.js';
import { writeRecipes } from './recipes.js';
import { sidebar } from './sidebar.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const favicon =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><path d="M16 2 30 27H2z" fill="#2f6f8f"/><path d="M16 12 22 23H10z" fill="#fff"/></svg>';

const about = {
  title: 'triforge',
  description:
    'A typed Node.js client for the v3 API, OAuth flow and webhooks of GitHub Enterprise–style servers, the Management Console and the support API',
};

writeRecipes();

export default defineConfig({
  ...about,
  srcDir: '..',
  outDir: '../site',
  srcExclude: ['README.md', 'AGENTS.md', 'test/**', 'coverage/**', 'reports/**', 'site/**'],
  rewrites: { 'docs/index.md': 'index.md' },
  cleanUrls: true,
  // Adds llms.txt and each page as Markdown.
  vite: { plugins: [llmstxt(about)] },
  head: [['link', { rel: 'icon', href: `data:image/svg+xml,${encodeURIComponent(favicon)}` }]],
  markdown: {
    // The default themes don't meet the contrast requirements of WCAG AA.
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    // Uses GitHub's anchors, so links work on the site and on GitHub.
    anchor: { slugify: (text: string) => slug(text.replaceAll('/', '-')) },
    config: (md) => {
      // Links the methods in the endpoint list to their pages. The source has no links, because the package
      // contains the list but not the pages.
      const code = md.renderer.rules.code_inline;
      md.renderer.rules.code_inline = (tokens, index, options, env, self) => {
        const name = tokens[index]?.content ?? '';
        const rendered = code?.(tokens, index, options, env, self) ?? name;
        // Lets long names and paths wrap in narrow tables.
        const breaks = /(?<=[a-z\d])(?=[A-Z])|(?<=[\w}][_./:])(?=[\w{])/g;
        const shown = name.length > 13 ? rendered.replaceAll(breaks, '<wbr>') : rendered;
        const isMethod = env.relativePath === 'docs/endpoints.md' && /^\w+(?:\.\w+)+$/.test(name);
        if (!isMethod) return shown;
        return `<a href="/docs/resources/${formatPageName(name)}#${slug(name)}">${shown}</a>`;
      };
      // Links to programs in examples/ lead to the programs' pages.
      const open = md.renderer.rules.link_open;
      md.renderer.rules.link_open = (tokens, index, options, env, self) => {
        const token = tokens[index];
        const href = token?.attrGet('href') ?? '';
        const [, recipe] = /^(?:\.\.\/examples\/)?([\w-]+)\.ts$/.exec(href) ?? [];
        if (recipe) token?.attrSet('href', `/recipes/${recipe}`);
        return open
          ? open(tokens, index, options, env, self)
          : self.renderToken(tokens, index, options);
      };
    },
  },
  themeConfig: {
    nav: [
      {
        text: 'Guides',
        link: '/docs/start',
        activeMatch: '^/docs/(?!recipes|endpoints|resources)',
      },
      { text: 'Recipes', link: '/docs/recipes', activeMatch: 'recipes' },
      { text: 'API', link: '/docs/endpoints', activeMatch: '^/docs/(endpoints|resources)' },
      { text: `v${version}`, link: '/CHANGELOG' },
    ],
    footer: { message: `triforge ${version}, MIT License` },
    sidebar: sidebar(root),
    outline: [2, 4],
    search: {
      provider: 'local',
      options: {
        detailedView: true,
        miniSearch: {
          searchOptions: {
            // Guides come first, then the reference. Lists of links and pages for contributors come last.
            boostDocument: (id: string) => {
              if (/^\/[A-Z]|^\/docs\/(?:endpoints|architecture)/.test(id)) return 0.3;
              const isGuide = /^\/docs\/(?!resources|errors|options|benchmarks|coming-from)/.test(
                id,
              );
              return isGuide ? 1.5 : 1;
            },
          },
        },
      },
    },
  },
});
