/** Common style for the emulator's pages. Supports dark and light mode, and narrow screens. */
export const pageStyle = `
  :root {
    color-scheme: light dark;
    --ground: light-dark(#f6f7f9, #14171c);
    --sheet: light-dark(#fff, #1c2128);
    --ink: light-dark(#1d2430, #e3e8ef);
    --soft: light-dark(#5b6675, #96a1b0);
    --line: light-dark(#d9dee5, #323a45);
    --accent: light-dark(#1f6f43, #57c78b);
    --bad: light-dark(#b3261e, #ff8a80);
    font: 15px/1.5 system-ui, sans-serif;
    background: var(--ground);
    color: var(--ink);
  }
  * { box-sizing: border-box; }
  body { margin: 0 auto; padding: 1.25rem 1rem 3rem; max-width: 72rem; }
  h1 { font-size: 1.35rem; margin: 0; }
  h2 { font-size: 1rem; margin: 0 0 .5rem; }
  code, pre, td { font-family: ui-monospace, SFMono-Regular, Menlo, monospace; font-size: .85rem; }
  section { background: var(--sheet); border: 1px solid var(--line); border-radius: .6rem; padding: 1rem; margin-top: 1rem; }
  button, input, select { font: inherit; color: inherit; border: 1px solid var(--line); border-radius: .4rem; padding: .35rem .7rem; background: var(--ground); }
  button { cursor: pointer; }
  button.main { background: var(--accent); border-color: var(--accent); color: light-dark(#fff, #10231a); }
  :focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
  .soft { color: var(--soft); }
`;

/** Escapes text for HTML content and attributes. */
export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
