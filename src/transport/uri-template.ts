import { parse } from 'uri-template';
export type TemplateValue =
  | string
  | number
  | boolean
  | null
  | undefined
  | readonly (string | number | boolean)[];
export interface CompiledTemplate {
  readonly template: string;
  readonly variables: readonly { name: string; operator: string; exploded: boolean }[];
  expand(values: Readonly<Record<string, unknown>>): string;
}
export function compileTemplate(template: string): CompiledTemplate {
  const t = parse(template);
  return {
    template,
    variables: t.ast.parts.flatMap((p) =>
      p.type === 'expression'
        ? p.variables.map((v) => ({
            name: v.name,
            operator: p.operator,
            exploded: v.modifier?.type === 'explode',
          }))
        : [],
    ),
    expand: (v) => t.expand(v as Record<string, unknown>),
  };
}
export function expandUrl(t: string, v: Readonly<Record<string, unknown>>): string {
  return compileTemplate(t).expand(v);
}
