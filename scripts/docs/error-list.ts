import { type ErrorClass, type ErrorField, errorClasses } from './error-classes.js';
import { errorExample } from './error-examples.js';
import { type ErrorMessages, errorMessages } from './error-messages.js';
import { remedies } from './error-remedies.js';

/** The text of `docs/errors.md`, from the sources. @throws for a code without a remedy, a class without a message. */
export function errorList(root: string): string {
  const classes = errorClasses(root);
  const messages = errorMessages(root, new Set(classes.map(({ name }) => name)));
  const rows = classes.map(
    (each) => `| [\`${each.code}\`](#${anchorOf(each)}) | \`${each.name}\` | ${cell(each.cause)} |`,
  );
  return `# The list of errors

Made from the sources by \`npm run docs:errors\`. How to work with errors: [Errors](error-handling.md). \`error.docs\` names the place of an error on this page, as \`docs/errors.md#notfounderror\`.

| \`code\` | class | cause |
|---|---|---|
${rows.join('\n')}

Those below \`ApiError\` stand for an answer of the server. They have \`status\`, \`message\`, \`errors\`, \`documentationUrl\`, \`request\`, \`response\`, \`body\` and \`mayHaveActed\`; \`isApiError\` is true for them. Every message ends with the method and the masked URL, where there is a request. In the messages below, ‹…› is what varies, and […] what is said in some cases only.
${classes.map((each) => section(each, messages)).join('')}`;
}

function section(errorClass: ErrorClass, messages: ErrorMessages): string {
  const { name, code, parent, cause, fields } = errorClass;
  const remedy = remedies[code];
  const texts = messages.get(name);
  if (!remedy) throw new Error(`scripts/docs/error-remedies.ts has no remedy for ${code}`);
  if (!texts?.length) throw new Error(`no source makes a ${name}`);
  const own = fields.length === 0 ? '' : `\n\n**Fields:** ${fields.map(fieldText).join('; ')}`;
  return `
## ${name}

\`code: '${code}'\`${parent ? `, an \`${parent}\`` : ''}

**Cause:** ${cause}

**Remedy:** ${remedy}${own}

${errorExample(name, code)}

${texts.map((text) => `- ${codeSpan(text)}`).join('\n')}
`;
}

function fieldText({ name, words }: ErrorField): string {
  if (words.length === 0) return `\`${name}\``;
  return `\`${name}\` (${words.map((word) => `\`${word}\``).join(', ')})`;
}

function anchorOf({ name }: ErrorClass): string {
  return name.toLowerCase();
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|');
}

/** Code that may hold backticks. */
function codeSpan(text: string): string {
  return text.includes('`') ? `\`\` ${text} \`\`` : `\`${text}\``;
}
