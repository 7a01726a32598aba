import { parse } from "tldts";
import type { Address } from "./address.js";

/** Hosts where anybody can publish or collect: their bare name says nothing about who reads what is sent there. */
const sharedHosts: ReadonlySet<string> = new Set([
  "airtable.com",
  "amazonaws.com",
  "api.telegram.org",
  "bit.ly",
  "bitbucket.org",
  "calendar.google.com",
  "discord.com",
  "docs.google.com",
  "drive.google.com",
  "dropbox.com",
  "facebook.com",
  "forms.gle",
  "forms.office.com",
  "gist.github.com",
  "gist.githubusercontent.com",
  "github.com",
  "gitlab.com",
  "google.com",
  "hooks.slack.com",
  "instagram.com",
  "linkedin.com",
  "medium.com",
  "mega.nz",
  "notion.so",
  "onedrive.live.com",
  "pastebin.com",
  "raw.githubusercontent.com",
  "reddit.com",
  "script.google.com",
  "sites.google.com",
  "slack.com",
  "storage.googleapis.com",
  "t.co",
  "t.me",
  "telegra.ph",
  "tinyurl.com",
  "translate.google.com",
  "trello.com",
  "twitter.com",
  "web.archive.org",
  "webhook.site",
  "x.com",
  "youtube.com",
]);

/** The site of an address. One address covers another only if it is of the same site. */
export function siteOf({ origin }: Address): string {
  // Both names of a site are its owner's.
  return origin.replace(/^www\./, "");
}

/**
 * True if what the user named covers an address of the same site: the same place, or one below it.
 *
 * A query that the user named says which place it is. It must stay; others may be added to it.
 */
export function covers(named: Address, asked: Address): boolean {
  if (siteOf(named) !== siteOf(asked)) return false;
  const isShared = isSharedHost(named.host);
  if (named.path === "/" && named.query === "" && isShared) return asked.path === "/";
  const isSame = asked.path === named.path;
  const folder = named.path.endsWith("/") ? named.path : `${named.path}/`;
  if (!isSame && !asked.path.startsWith(folder)) return false;
  return named.query === "" || !(isSame || isShared) || keepsQuery(named.query, asked.query);
}

function isSharedHost(name: string): boolean {
  const host = name.replace(/^www\./, "");
  if (sharedHosts.has(host)) return true;
  const { publicSuffix, isPrivate } = parse(host, { allowPrivateDomains: true });
  return publicSuffix === host && isPrivate === true;
}

function keepsQuery(named: string, asked: string): boolean {
  const wanted = valuesByName(named);
  const given = valuesByName(asked);
  return [...wanted].every(([name, values]) => given.get(name) === values);
}

/** All values of each name: some servers take the first, and some the last. */
function valuesByName(query: string): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(query)) {
    const key = name.toLowerCase();
    values.set(key, `${values.get(key) ?? ""}\n${value}`);
  }
  return values;
}
