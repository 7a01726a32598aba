/**
 * The names of some tools: of a list of them, of an object from name to tool, or of one.
 *
 * It is asked for where names are written, as in `allowlist<ToolName<typeof tools>>([…])`:
 * editors then complete them, and a misspelt one does not compile. It is `string` where
 * the names are not known.
 */
export type ToolName<Tools> =
  Tools extends Iterable<infer Each>
    ? NameOf<Each>
    : Tools extends { readonly name: string }
      ? NameOf<Tools>
      : Extract<keyof Tools, string>;

type NameOf<Each> = Each extends { readonly name: infer Name extends string } ? Name : never;
