/** A step of a template as the library represents it, and what it comes to. */
export interface Step {
  readonly type: string;
  readonly value?: unknown;
}

/** A filter of Jinja's that the library does not have. */
interface OwnFilter {
  readonly operand: Step;
  readonly args: readonly Step[];
  readonly apply: Filter;
}

type Filter = (text: string, args: readonly unknown[]) => string | number;

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  "'": "&#39;",
  '"': "&#34;",
};

const escaped: Filter = (text) => text.replace(/[&<>'"]/g, (sign) => entities[sign] ?? sign);

const filters: ReadonlyMap<unknown, Filter> = new Map<unknown, Filter>([
  ["e", escaped],
  ["escape", escaped],
  ["wordcount", (text) => text.match(/[\p{L}\p{N}_]+/gu)?.length ?? 0],
  ["format", formatted],
]);

/** Fills `%s` and `%d` in. As in Python, there must be a value for each, and no more. */
function formatted(text: string, args: readonly unknown[]): string {
  let next = 0;
  const filled = text.replace(/%(.?)/gsu, (_, kind: string) => {
    if (kind === "%") return "%";
    const value = args[next++];
    const fits = kind === "s" ? value !== undefined : kind === "d" && typeof value === "number";
    if (!fits) throw new Error("The template formats what it cannot.");
    return kind === "d" ? String(Math.trunc(value as number)) : String(value);
  });
  if (next !== args.length) throw new Error("The template formats too few values.");
  return filled;
}

/** The filter that a step applies, if it is one that the library does not have. */
export function ownFilter(step: Step | undefined): OwnFilter | undefined {
  if (step?.type !== "FilterExpression") return undefined;
  const { operand, filter } = step as Step & { readonly operand: Step; readonly filter: Step };
  const isCall = filter.type === "CallExpression";
  const { callee, args } = filter as Step & {
    readonly callee?: Step;
    readonly args?: readonly Step[];
  };
  const apply = filters.get((isCall ? callee : filter)?.value);
  return apply === undefined ? undefined : { operand, args: (isCall && args) || [], apply };
}
