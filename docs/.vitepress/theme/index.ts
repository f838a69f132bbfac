import type { Theme } from 'vitepress';
import DefaultTheme from 'vitepress/theme';
import './style.css';

export default {
  extends: DefaultTheme,
  enhanceApp({ router }) {
    // The sidebar is longer than the window, so the link to the current page may be out of sight.
    router.onAfterPageLoad = () => {
      if (import.meta.env.SSR) return;
      requestAnimationFrame(() =>
        document.querySelector('.VPSidebar .is-active')?.scrollIntoView({ block: 'nearest' }),
      );
    };
  },
} satisfies Theme;
