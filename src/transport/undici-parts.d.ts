// undici has no types for its internal modules. These declarations reuse the types that it exports:
// Agent, Dispatcher.connect and buildConnector.
declare module 'undici/lib/dispatcher/agent.js' {
  export { Agent as default } from 'undici';
}

declare module 'undici/lib/api/api-connect.js' {
  import type { Dispatcher } from 'undici';

  const connect: (
    this: Dispatcher,
    options: Dispatcher.ConnectOptions & { readonly headersTimeout: number },
  ) => Promise<Dispatcher.ConnectData>;
  export default connect;
}

declare module 'undici/lib/core/connect.js' {
  export { buildConnector as default } from 'undici';
}
