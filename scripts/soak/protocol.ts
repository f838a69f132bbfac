/** What the server is told when it starts. */
export interface ServerOrder {
  readonly seed: number;
  /** Operations of the run, numbered from 1. */
  readonly calls: number;
  /** Share of requests that fail, from 0 to 1. */
  readonly faultRate: number;
}

/** What the server counted, by the number of the operation. */
export interface ServerLedger {
  /** How often it was really executed. */
  readonly executions: Uint16Array;
  /** How often it changed anything that lasts. */
  readonly effects: Uint16Array;
  /** How often it came again after it had been executed. */
  readonly repeats: Uint16Array;
  /** How often each fault was played. */
  readonly faults: Readonly<Record<string, number>>;
  readonly requests: number;
  /** Answers with 304. */
  readonly unmodified: number;
  readonly connections: number;
  /** Requests that no honest client sends. */
  readonly complaints: readonly string[];
}

/** From the server to whoever started it. */
export type ServerMessage =
  | { readonly kind: 'listening'; readonly port: number }
  /** Connections that are open now. */
  | { readonly kind: 'connections'; readonly open: number }
  | { readonly kind: 'ledger'; readonly ledger: ServerLedger };

/** The repository (or organization, or user) that carries an operation's number. */
export function nameOf(operation: number): string {
  return `op-${operation}`;
}
