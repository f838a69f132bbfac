/** Package version. A test keeps it in sync with package.json. */
export const version = '0.10.0';
