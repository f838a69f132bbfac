// undici has no types for its internal modules. These declarations reuse the types that it exports:
// Agent, Pool, EnvHttpProxyAgent, Dispatcher.connect and buildConnector.
declare module 'undici/lib/dispatcher/agent.js' {
  export { Agent as default } from 'undici';
}

declare module 'undici/lib/dispatcher/pool.js' {
  export { Pool as default } from 'undici';
}

declare module 'undici/lib/dispatcher/env-http-proxy-agent.js' {
  export { EnvHttpProxyAgent as default } from 'undici';
}

declare module 'undici/lib/api/api-connect.js' {
  import type { Dispatcher, Pool } from 'undici';

  const connect: (
    this: Pool,
    options: Dispatcher.ConnectOptions,
  ) => Promise<Dispatcher.ConnectData>;
  export default connect;
}

declare module 'undici/lib/core/connect.js' {
  export { buildConnector as default } from 'undici';
}
