// Log calls with pino
//
// One line for each attempt, retry and wait, on a fitting level, with every secret masked. The child logger
// names the client. Any logger with `debug`, `info`, `warn` and `error` will do: see
// [Logging](../docs/observability.md#logging). Without changing the program, `TRIFORGE_LOG=info` writes the same
// lines to standard error.
//
//     npm install pino
//     npx triforge-emulator -- npx tsx node_modules/triforge/examples/log-with-pino.ts
import { pino } from 'pino';
import { HostingClient } from 'triforge';

const { LOG_LEVEL = 'info' } = process.env;
const logger = pino({ level: LOG_LEVEL });

await using hosting = HostingClient.fromEnv({ log: logger.child({ client: 'hosting' }) });

const starred = await hosting.starring.listStarred({ per_page: 20 }).toArray();
logger.info({ starred: starred.length }, 'done');
