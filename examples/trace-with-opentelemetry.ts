// Trace calls with OpenTelemetry
//
// Creates a client span for each request, as a child of the calling code's span, and sends the trace context as
// `traceparent`. The attributes follow the HTTP semantic conventions. Don't combine this program with
// [`@opentelemetry/instrumentation-undici`](../docs/observability.md#traces), which creates the same spans.
//
//     npm install @opentelemetry/api @opentelemetry/core @opentelemetry/sdk-trace-base
//     npm install @opentelemetry/context-async-hooks
//     npx triforge-emulator -- npx tsx node_modules/triforge/examples/trace-with-opentelemetry.ts
import { subscribe } from 'node:diagnostics_channel';
import * as otel from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import * as sdk from '@opentelemetry/sdk-trace-base';
import { type DiagnosticEvents, HostingClient, type RequestHooks } from 'triforge';

// In a real program, set this up once, and export to a collector instead of the console.
otel.context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
otel.propagation.setGlobalPropagator(new W3CTraceContextPropagator());
const processor = new sdk.SimpleSpanProcessor(new sdk.ConsoleSpanExporter());
const provider = new sdk.BasicTracerProvider({ spanProcessors: [processor] });
const tracer = provider.getTracer('triforge');
/** Spans of requests that have no response yet, keyed by the `traceparent` that the request sent. */
const open = new Map<string, { span: otel.Span; url: string; parent: otel.Span | undefined }>();

function end(id = '', problem: string | undefined, status?: number): void {
  const { span } = open.get(id) ?? {};
  open.delete(id);
  if (status) span?.setAttribute('http.response.status_code', status);
  if (problem) span?.setAttribute('error.type', problem);
  // A call that the program aborts isn't an error.
  if (problem && problem !== 'interrupted') span?.setStatus({ code: otel.SpanStatusCode.ERROR });
  span?.end();
}

const hooks: RequestHooks = {
  beforeRequest({ operation, method, url, attempt }) {
    const { hostname, port, protocol } = new URL(url);
    const kind = otel.SpanKind.CLIENT;
    const attributes = {
      'http.request.method': method,
      'url.full': url, // Secrets in the URL are masked.
      'server.address': hostname,
      'server.port': Number(port) || (protocol === 'https:' ? 443 : 80),
      ...(attempt > 1 && { 'http.request.resend_count': attempt - 1 }),
    };
    const span = tracer.startSpan(`${method} ${operation}`, { kind, attributes });
    const headers: Record<string, string> = {};
    otel.propagation.inject(otel.trace.setSpan(otel.context.active(), span), headers);
    open.set(headers.traceparent ?? '', { span, url, parent: otel.trace.getActiveSpan() });
    return headers;
  },
  afterResponse({ headers }, { status }) {
    end(headers.traceparent, status >= 400 ? `${status}` : undefined, status);
  },
};
// A request without a response ends with this event, in the call's async context.
subscribe('triforge:request:error', (message) => {
  const { request, kind } = message as DiagnosticEvents['triforge:request:error'];
  const parent = otel.trace.getActiveSpan();
  end([...open].find(([, at]) => at.parent === parent && at.url === request.url)?.[0], kind);
});
await using hosting = HostingClient.fromEnv({ hooks });
await tracer.startActiveSpan('collect stars', async (span) => {
  await hosting.starring.listStarred({ per_page: 20 }).toArray();
  span.end();
});
await provider.shutdown();
