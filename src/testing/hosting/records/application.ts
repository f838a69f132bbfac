import * as z from 'zod/mini';
import * as check from '../../checks.js';
import { sha1 } from '../../random.js';
import { field, type Loose, type RecordOf, record, required } from '../../record.js';

export const applicationKind = record(
  {
    /** Client ID, 20 characters. */
    clientId: field(check.text(), ({ id }, { name }) =>
      sha1('client id', `${name} ${id}`).slice(0, 20),
    ),
    /** Client secret, 40 characters. */
    clientSecret: field(check.text(), ({ id }, { name }) => sha1('client secret', `${name} ${id}`)),
    /** Name of the application. */
    name: required(check.name()),
    /** Home page of the application. */
    url: field(check.text(), 'https://app.example.com'),
    /** URL that the web flow redirects to. */
    callbackUrl: field(z.url(), 'https://app.example.com/callback'),
    /**
     * Whether a loopback `redirect_uri` may have any port (RFC 8252, section 7.3). Needed for apps
     * in development.
     */
    anyPort: field(check.flag(), false),
    /** Whether the application is suspended. Its users get the `application_suspended` error. */
    suspended: field(check.flag(), false),
  },
  ['clientId'],
);

/** An OAuth application. */
export interface Application extends RecordOf<typeof applicationKind> {}

/** Properties of a new application. */
export type NewApplication = Loose<Omit<Application, 'name'>>;
