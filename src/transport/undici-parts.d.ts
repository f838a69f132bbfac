// undici ships no types for its inner modules; these are the public Agent, Pool, EnvHttpProxyAgent,
// Dispatcher.connect and buildConnector.
declare module 'undici/lib/dispatcher/agent.js' {
  import type { Agent } from 'undici';

  const AgentClass: typeof Agent;
  export default AgentClass;
}

declare module 'undici/lib/dispatcher/pool.js' {
  import type { Pool } from 'undici';

  const PoolClass: typeof Pool;
  export default PoolClass;
}

declare module 'undici/lib/dispatcher/env-http-proxy-agent.js' {
  import type { EnvHttpProxyAgent } from 'undici';

  const EnvAgentClass: typeof EnvHttpProxyAgent;
  export default EnvAgentClass;
}

declare module 'undici/lib/api/api-connect.js' {
  import type { Pool } from 'undici';

  const connect: Pool['connect'];
  export default connect;
}

declare module 'undici/lib/core/connect.js' {
  import type { buildConnector } from 'undici';

  const connectorOf: typeof buildConnector;
  export default connectorOf;
}
