export interface MediaContext {
  readonly vendor: string;
  readonly version: 'v3' | 'beta';
}
export function acceptFor(
  o: MediaContext & { resource?: string; variant?: string; json?: boolean },
): string {
  if (o.resource)
    return `application/vnd.${o.vendor}.${o.resource}${o.variant ? `.${o.variant}` : ''}+json`;
  return `application/vnd.${o.vendor}.${o.version}${o.variant ? `.${o.variant}` : ''}${o.json === false ? '' : '+json'}`;
}
export function mediaTypeOf(t: string | undefined): { type: string; charset: string | undefined } {
  return { type: (t ?? '').split(';')[0]?.trim().toLowerCase() ?? '', charset: undefined };
}
