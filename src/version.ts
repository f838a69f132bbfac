/** Package version. A test checks that it matches package.json. */
export const version = '0.10.0';
