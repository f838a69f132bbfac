import { createEmulator, type Dataset } from '../../src/testing/index.js';

export const now = '2014-06-01T12:00:00Z';

/** Returns the world that an emulator exports after it imports the seed. */
export const exported = (seed: Dataset) => createEmulator({ seed }).export();
