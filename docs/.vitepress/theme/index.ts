import localSearchIndex from '@localSearchIndex';
import { inBrowser, type Theme } from 'vitepress';
import DefaultTheme from 'vitepress/theme';
import './style.css';

export default {
  extends: DefaultTheme,
  enhanceApp() {
    // Loads the search index before the search box needs it. The delay lets the page load first.
    if (inBrowser) setTimeout(() => localSearchIndex.root?.(), 1000);
  },
} satisfies Theme;
