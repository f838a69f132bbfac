import localSearchIndex from '@localSearchIndex';
import { inBrowser, type Theme } from 'vitepress';
import DefaultTheme from 'vitepress/theme';
import './style.css';

export default {
  extends: DefaultTheme,
  enhanceApp() {
    // The search box loads the index when it opens, so its first results would wait for the download.
    // The delay keeps the index out of the way of the page.
    if (inBrowser) setTimeout(() => localSearchIndex.root?.(), 1000);
  },
} satisfies Theme;
