import { domainToASCII, domainToUnicode } from "node:url";
import { invalidOption, quoted } from "@toolstile/core/provider";
import { allOf, anyOf, type CheckKind, type Outcome } from "./check.js";
import { oneOf } from "./one-of.js";
import { readTexts, textsSchema } from "./operands.js";

const emailDomain: CheckKind = {
  schema: textsSchema(
    'The addresses are of these domains: "example.com", "*.example.com" for every domain below it. One address, several with commas, or a list.',
  ),
  read: (operand, where, name) => {
    const given = readTexts("domains", operand, where, name);
    const domains = given.map((each) => readDomain(each, where, name));
    const isOfThese = (domain: string | undefined): Outcome =>
      domain === undefined
        ? undefined
        : domains.some(({ name, below }) =>
            below ? domain.endsWith(`.${name}`) : domain === name,
          );
    const plain = oneOf(domains.filter(({ below }) => !below).map(({ name }) => name));
    const plainly = plain === undefined ? undefined : new RegExp(`^[\\w.+-]+@${plain}$`);
    const test = (value: string | readonly unknown[], any: boolean): Outcome => {
      // Most addresses of a domain are plain: taking them apart takes ten times as long.
      if (typeof value === "string" && value.length <= longestText && plainly?.test(value)) {
        return true;
      }
      const texts = typeof value === "string" ? [value] : value;
      const found = texts.flatMap((text) =>
        typeof text === "string" ? domainsIn(text) : undefined,
      );
      if (found.length === 0) return undefined;
      return (any ? anyOf : allOf)(found.map(isOfThese));
    };
    return { name, operand: given, kinds: ["string", "list"], test };
  },
};

interface Domain {
  readonly name: string;
  readonly below: boolean;
}

function readDomain(given: string, where: string, name: string): Domain {
  const below = given.startsWith("*.");
  const domain = domainOf(below ? given.slice(2) : given);
  if (domain !== undefined) return { name: domain, below };
  throw invalidOption(
    where,
    `'${name}' must hold domains, as in "example.com" or "*.example.com", received ${quoted(given)}.`,
  );
}

/** One address, with a name before it and angle brackets, or without. Quotes are for names only. */
const address =
  /^(?:(?:"[^"\\\p{Cc}\p{Zl}\p{Zp}]*"[ \t]*|[^"<>@,:;()[\]\\\p{Cc}\p{Zl}\p{Zp}]*)<([^<>\s]*)>|([^<>\s]*))$/u;
/** A local part that no server takes for a way through other servers. */
const local = /^[^\s"(),:;<>@[\]\\%!\p{Cc}]+$/u;
/** An encoded word that hides none of the signs that part addresses: `"`, `,`, `:`, `;`, `<`, `>`, `@` and line breaks. */
const encodedName =
  /=\?(?:utf-8|us-ascii|iso-8859-\d{1,2})\?q\?(?:[\w.-]|=(?!0[ad]|22|2c|3[abce]|40)[0-9a-f]{2})*\?=/gi;
const longestText = 10_000;

/** The domains of the addresses in a text; undefined in place of one that cannot be told. */
function domainsIn(text: string): readonly (string | undefined)[] {
  if (text.length > longestText) return [undefined];
  return addressesIn(text).map((each) => {
    const [, inBrackets, bare] = address.exec(each.replace(/^[ \t]+|(?<![ \t])[ \t]+$/g, "")) ?? [];
    const mailbox = inBrackets ?? bare ?? "";
    const at = mailbox.indexOf("@");
    // Some programs decode an encoded word before they look for commas and another @.
    if (at < 1 || mailbox.includes("=?") || each.replace(encodedName, "").includes("=?")) {
      return undefined;
    }
    return local.test(mailbox.slice(0, at)) ? domainOf(mailbox.slice(at + 1)) : undefined;
  });
}

/** Splits at commas that are in no quotes. */
function addressesIn(text: string): readonly string[] {
  return text.match(/(?:"[^"]*"|[^",])+|^$|"/g) ?? [text];
}

const asciiDomain = /^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z0-9-]*[a-z][a-z0-9-]*$/;

/** Node reads a domain as a URL's: it decodes escapes, and ends it at signs such as `/`, `#` and `?`. */
const signsOfDomains = /^(?:[a-z0-9.-]|[^\p{ASCII}])+$/iu;

function domainOf(text: string): string | undefined {
  if (!signsOfDomains.test(text)) return undefined;
  // Letters that are mapped to others are mapped differently by older programs.
  const domain = domainToASCII(text);
  if (/[ßς\u200c\u200d]/.test(text) || domainToUnicode(domain) !== unicodeForm(text))
    return undefined;
  const name = domain.replace(/\.$/, "");
  return asciiDomain.test(name) ? name : undefined;
}

/** A name as it comes back if nothing in it was mapped to something else. */
function unicodeForm(text: string): string {
  return /^\p{ASCII}*$/u.test(text) ? domainToUnicode(text.toLowerCase()) : text.toLowerCase();
}

export const emails = { emailDomain } satisfies Readonly<Record<string, CheckKind>>;
