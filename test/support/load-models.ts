import { load } from '../../src/schema/zod.js';

await load();
