import { register } from "node:module";

// A module hook that lets nothing load Node's own modules: `node --import` this, then an entry that
// has to run without Node. It sees what the entry's dependencies import, too.
const hook = `
  export async function resolve(specifier, context, next) {
    const resolved = await next(specifier, context);
    if (resolved.url.startsWith("node:") && context.parentURL?.startsWith("file:")) {
      throw new Error(context.parentURL + " imports " + resolved.url);
    }
    return resolved;
  }
`;
register(`data:text/javascript,${encodeURIComponent(hook)}`);
