import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { templateFolder, withVersion } from "../src/template.js";

describe("withVersion", () => {
  it("sets the version of Toolstile's packages, and of no other", () => {
    const text = '{ "@toolstile/core": "^0.1.0", "toolstile": "^0.1.0", "zod": "^4.0.0" }';
    expect(withVersion(text, "2.3.4")).toBe(
      '{ "@toolstile/core": "^2.3.4", "toolstile": "^2.3.4", "zod": "^4.0.0" }',
    );
  });
});

describe("templateFolder", () => {
  it("is never a folder of the project that the package is installed in", () => {
    const module = pathToFileURL("/home/ann/shop/node_modules/create-toolstile/dist/cli.js").href;
    expect(templateFolder(module, "provider")).toBe(
      "/home/ann/shop/node_modules/create-toolstile/dist/template",
    );
  });
});
