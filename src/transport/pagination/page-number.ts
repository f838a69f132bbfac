/** A URL taken apart at the number of its page. */
export interface PageNumber {
  readonly before: string;
  readonly number: number;
  readonly after: string;
}

/** No number that could be written in another way, or that is not exact as a number. */
const numbered = /^([^ ]*?[?&]page=)([1-9]\d{0,14})(?!\d)([^ ]*)$/;

/** Undefined where a URL names no page by its number. */
export function pageNumberOf(url: string): PageNumber | undefined {
  const [, before, number, after = ''] = numbered.exec(url) ?? [];
  return before === undefined ? undefined : { before, number: Number(number), after };
}

/** Whether two URLs differ in the number of their page alone. */
export function isSameList(one: PageNumber, other: PageNumber): boolean {
  return one.before === other.before && one.after === other.after;
}

const sized = /[?&](?:per_page|count)=([1-9]\d{0,8})(?!\d)/;

/** How many items a URL asks for at most; 0 where it does not say. */
export function pageSizeOf(url: string): number {
  return Number(sized.exec(url)?.[1] ?? 0);
}
