/** The package's version; a test holds it equal to package.json. */
export const version = '0.0.0';
