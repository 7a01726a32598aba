import { isJsonObject, quoted } from "@toolstile/core/provider";
import { Inadmissible, isPassing } from "../document/inadmissible.js";
import { escapeSegment, unescapeSegment } from "../document/json-pointer.js";
import type { Plain, PlainObject } from "../document/plain-copy.js";
import { announcedDialect, type Dialect, type Draft } from "../drafts/dialects.js";
import { metaSchema } from "../drafts/meta-schemas.js";

/** A part of a document with a base URI of its own: the root, or what an id sets apart. */
export interface Resource {
  readonly uri: string;
  readonly root: Plain;
  readonly pointer: string;
  readonly dialect: Dialect;
  readonly anchors: Map<string, Location>;
  /** Anchors that the outermost resource decides. `""` is 2019-09's `$recursiveAnchor`. */
  readonly dynamicAnchors: Map<string, Location>;
}

/** A schema and where it stands. */
export interface Location {
  readonly schema: Plain;
  readonly pointer: string;
  readonly resource: Resource;
}

const anonymousBase = "toolstile:///schema";

/** The resources of one schema, found by URI. Knows the published meta-schemas and fetches nothing. */
export class Resources {
  readonly root: Location;
  private readonly byUri = new Map<string, Resource>();
  private readonly owners = new Map<object, Location>();
  private readonly draft: Draft;
  private readonly known: typeof metaSchema;

  /** @param known The meta-schemas that may be referred to. */
  constructor(schema: Plain, draft: Draft, known = metaSchema) {
    this.draft = draft;
    this.known = known;
    this.root = this.addDocument(schema, anonymousBase);
  }

  /** @throws Inadmissible when there is nothing at the reference. */
  resolve(reference: string, from: Location, keyword: string): Location {
    const place = `${from.pointer}/${keyword}`;
    const hash = reference.indexOf("#");
    const fragment = hash < 0 ? "" : reference.slice(hash + 1);
    const resource = this.find(absolute(reference, from.resource.uri, place), reference, place);
    let name: string;
    try {
      name = decodeURIComponent(fragment);
    } catch (error) {
      if (isPassing(error)) throw error;
      throw new Inadmissible(place, `${keyword} is no URI reference`);
    }
    const found = name.startsWith("/")
      ? this.walk(resource, name)
      : name === ""
        ? { schema: resource.root, pointer: resource.pointer, resource }
        : resource.anchors.get(name);
    if (found === undefined) {
      throw new Inadmissible(place, `${keyword} ${quoted(reference)} points at nothing`);
    }
    return found;
  }

  /** The location of a schema that was reached from the one around it. */
  locate(schema: Plain, pointer: string, around: Location): Location {
    const owner = typeof schema === "object" && schema !== null && this.owners.get(schema);
    return owner || { schema, pointer, resource: around.resource };
  }

  /** True for a schema in a place that is known to hold one, which its document's meta-schema covers. */
  covers({ schema }: Location): boolean {
    return typeof schema !== "object" || schema === null || this.owners.has(schema);
  }

  private find(uri: string, reference: string, place: string): Resource {
    const known = this.byUri.get(uri);
    if (known !== undefined) return known;
    const published = this.known(uri);
    if (published !== undefined) return this.addDocument(published, uri).resource;
    throw new Inadmissible(
      place,
      `it refers to ${quoted(reference)}, which is not in the schema, and nothing is ever fetched`,
    );
  }

  private walk(resource: Resource, path: string): Location | undefined {
    let location: Location = { schema: resource.root, pointer: resource.pointer, resource };
    for (const segment of path.slice(1).split("/")) {
      const key = unescapeSegment(segment);
      const holder = location.schema;
      if (typeof holder !== "object" || holder === null || !Object.hasOwn(holder, key)) {
        return undefined;
      }
      const schema = (holder as PlainObject)[key] as Plain;
      location = this.locate(schema, `${location.pointer}/${escapeSegment(key)}`, location);
    }
    return location;
  }

  private addDocument(schema: Plain, uri: string): Location {
    const fallback = this.draft;
    const dialect = announcedDialect(isJsonObject(schema) ? schema : {}, fallback, "");
    const resource = this.addResource(schema, uri, "", dialect);
    const own = this.scan(schema, "", resource);
    return { schema, pointer: "", resource: own };
  }

  private addResource(root: Plain, uri: string, pointer: string, dialect: Dialect): Resource {
    if (this.byUri.has(uri)) {
      throw new Inadmissible(pointer, "two of its schemas have the same id");
    }
    const resource: Resource = {
      uri,
      root,
      pointer,
      dialect,
      anchors: new Map(),
      dynamicAnchors: new Map(),
    };
    this.byUri.set(uri, resource);
    return resource;
  }

  /** Registers a schema and those below it, and gives back the resource that it belongs to. */
  private scan(schema: Plain, pointer: string, outer: Resource): Resource {
    if (!isJsonObject(schema)) return outer;
    const { dialect } = outer;
    if (announcedDialect(schema, dialect.draft, pointer) !== dialect) {
      throw new Inadmissible(`${pointer}/$schema`, "a part of it announces another draft");
    }
    const resource = this.identify(schema, pointer, outer);
    const location: Location = { schema, pointer, resource };
    this.owners.set(schema, location);
    this.addAnchors(schema, location);
    for (const shelf of [dialect.applicators, dialect.shelves]) {
      for (const [keyword, shapes] of shelf) {
        const value = schema[keyword];
        const at = `${pointer}/${keyword}`;
        if (Array.isArray(value)) {
          if (shapes.includes("list")) {
            value.forEach((item: Plain, index) => void this.scan(item, `${at}/${index}`, resource));
          }
        } else if (isJsonObject(value)) {
          if (shapes.includes("one")) this.scan(value, at, resource);
          else if (shapes.includes("map")) {
            for (const [key, item] of Object.entries(value)) {
              this.scan(item as Plain, `${at}/${escapeSegment(key)}`, resource);
            }
          }
        }
      }
    }
    return resource;
  }

  private identify(schema: PlainObject, pointer: string, outer: Resource): Resource {
    const { dialect } = outer;
    const id = schema[dialect.idKeyword];
    if (typeof id !== "string" || (dialect.refAlone && schema.$ref !== undefined)) return outer;
    const hash = id.indexOf("#");
    const fragment = hash < 0 ? "" : id.slice(hash + 1);
    let resource = outer;
    if (hash !== 0) {
      const uri = absolute(id, outer.uri, `${pointer}/${dialect.idKeyword}`);
      if (uri !== outer.uri) resource = this.addResource(schema, uri, pointer, dialect);
    }
    if (fragment !== "") resource.anchors.set(fragment, { schema, pointer, resource });
    return resource;
  }

  private addAnchors(schema: PlainObject, location: Location): void {
    const { anchors, dynamicAnchors, dialect, root } = location.resource;
    if (dialect.refAlone) return;
    if (typeof schema.$anchor === "string") anchors.set(schema.$anchor, location);
    if (dialect.draft === "2019-09") {
      if (schema.$recursiveAnchor === true && schema === root) dynamicAnchors.set("", location);
    } else if (typeof schema.$dynamicAnchor === "string") {
      anchors.set(schema.$dynamicAnchor, location);
      dynamicAnchors.set(schema.$dynamicAnchor, location);
    }
  }
}

function absolute(reference: string, base: string, place: string): string {
  try {
    return new URL(reference, base).href.split("#", 1)[0] as string;
  } catch (error) {
    if (isPassing(error)) throw error;
    throw new Inadmissible(place, `${quoted(reference)} is no URI reference`);
  }
}
