// undici ships no types for its inner modules; these are the public Agent and buildConnector.
declare module 'undici/lib/dispatcher/agent.js' {
  import type { Agent } from 'undici';

  const AgentClass: typeof Agent;
  export default AgentClass;
}

declare module 'undici/lib/core/connect.js' {
  import type { buildConnector } from 'undici';

  const connectorOf: typeof buildConnector;
  export default connectorOf;
}
