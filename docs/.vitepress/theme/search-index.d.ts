/** VitePress generates this module. Each function loads the search index of one language. */
declare module '@localSearchIndex' {
  const loaders: Readonly<Record<string, () => Promise<unknown>>>;
  export default loaders;
}
