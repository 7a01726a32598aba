import { createRequire, register } from "node:module";
import { fileURLToPath } from "node:url";

// `node --import` this: nothing may load from the repository that this file lies in. An import is
// refused; what was required is found out at the end, as module hooks do not see it all.
const repository = new URL("../..", import.meta.url);
const hook = `
  export async function resolve(specifier, context, next) {
    const resolved = await next(specifier, context);
    if (resolved.url.startsWith(${JSON.stringify(repository.href)})) {
      throw new Error(specifier + " resolves into the workspace: " + resolved.url);
    }
    return resolved;
  }
`;
register(`data:text/javascript,${encodeURIComponent(hook)}`);

const { cache } = createRequire(import.meta.url);
process.on("exit", () => {
  const inside = Object.keys(cache).filter((file) => file.startsWith(fileURLToPath(repository)));
  for (const file of inside) console.error(`required from the workspace: ${file}`);
  if (inside.length > 0) process.exitCode = 1;
});
