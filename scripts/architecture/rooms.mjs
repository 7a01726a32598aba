import { fileMeant } from "./imports.mjs";

/** @typedef {import("./workspace.mjs").Package} Package */
/** @typedef {import("./workspace.mjs").SourceFile} SourceFile */
/** @typedef {import("./workspace.mjs").Workspace} Workspace */

/**
 * The rooms of a package are the folders of its `src`, in the order of `architecture.json`: a room
 * imports from itself and from those before it. A file at the top of `src` stands above all rooms,
 * unless it is listed among them.
 *
 * @param {Workspace} workspace
 * @returns {string[]}
 */
export function roomsPointDown({ packages, table }) {
  const listed = Object.entries(table.rooms ?? {});
  return listed.flatMap(([folder, rooms]) => {
    const each = packages.find((known) => known.folder === folder);
    if (each === undefined)
      return [`architecture.json lists rooms of ${folder}, which is no package`];
    const found = [...new Set(each.sources.map(({ path }) => roomOf(each, path)))];
    return [
      ...rooms
        .filter((room, index) => rooms.indexOf(room) !== index)
        .map((room) => `architecture.json lists the room ${room} of ${folder} twice`),
      ...rooms
        .filter((room) => !found.includes(room))
        .map((room) => `architecture.json lists the room ${room} of ${folder}, which is not there`),
      ...found
        .filter((room) => !room.includes(".") && !rooms.includes(room))
        .map(
          (room) =>
            `${each.path}/src/${room} is no room of architecture.json: list it in the rooms of ${folder}, after those that it imports from`,
        ),
      ...each.sources.flatMap((file) => wrongImports(each, rooms, file)),
    ];
  });
}

/**
 * @param {Package} each
 * @param {readonly string[]} rooms
 * @param {SourceFile} file
 */
function wrongImports(each, rooms, file) {
  const from = roomOf(each, file.path);
  const place = rooms.indexOf(from);
  if (place === -1) return [];
  return file.imports.flatMap((specifier) => {
    const meant = fileMeant(file.path, specifier, pathsOf(each));
    const to = meant === undefined ? from : roomOf(each, meant);
    const above = rooms.indexOf(to);
    if (above !== -1 && above <= place) return [];
    if (to === from) return [];
    const rule = rooms.includes(to)
      ? `the room ${from} may not import from ${to}, which comes after it`
      : `the room ${from} may not import ${to}, which is in no room and so stands above all`;
    return [
      `${file.path} imports '${specifier}': ${rule}. Move what both need into ${from} or a room before it, or have it passed in`,
    ];
  });
}

/**
 * The first folder below `src`, or the file's own name at its top.
 *
 * @param {Package} each
 * @param {string} path
 */
function roomOf({ path: folder }, path) {
  return String(path.slice(`${folder}/src/`.length).split("/")[0]);
}

/**
 * No file imports itself by way of others of its package, for its types neither.
 *
 * @param {Workspace} workspace
 * @returns {string[]}
 */
export function noCirclesOfFiles({ packages }) {
  return packages.flatMap((each) =>
    circlesOf(each).map(
      (circle) =>
        `${[...circle, circle[0]].join(" → ")}: these import each other in a circle. Move what they share into a file of its own`,
    ),
  );
}

/**
 * The circles of a package's imports: of each knot of files one, the shortest through its first file.
 *
 * @param {{ readonly sources: readonly Pick<SourceFile, "path" | "imports">[] }} each
 * @returns {string[][]}
 */
export function circlesOf(each) {
  const paths = pathsOf(each);
  const imports = new Map(
    each.sources.map(({ path, imports }) => [
      path,
      imports.flatMap((specifier) => fileMeant(path, specifier, paths) ?? []),
    ]),
  );
  /** @type {Set<string>} */
  const told = new Set();
  return [...paths].flatMap((path) => {
    const circle = told.has(path) ? undefined : shortestCircle(path, imports);
    if (circle === undefined) return [];
    for (const other of knotOf(path, imports)) told.add(other);
    return [circle];
  });
}

/**
 * @param {string} start
 * @param {ReadonlyMap<string, readonly string[]>} imports
 * @returns {string[] | undefined}
 */
function shortestCircle(start, imports) {
  const trails = [[start]];
  const seen = new Set([start]);
  for (const trail of trails) {
    for (const next of imports.get(String(trail.at(-1))) ?? []) {
      if (next === start) return trail;
      if (seen.has(next)) continue;
      seen.add(next);
      trails.push([...trail, next]);
    }
  }
  return undefined;
}

/**
 * The files that a file reaches and that reach it.
 *
 * @param {string} start
 * @param {ReadonlyMap<string, readonly string[]>} imports
 */
function knotOf(start, imports) {
  return reachedFrom(start, imports).filter((path) => reachedFrom(path, imports).includes(start));
}

/**
 * @param {string} start
 * @param {ReadonlyMap<string, readonly string[]>} imports
 */
function reachedFrom(start, imports) {
  const reached = [...(imports.get(start) ?? [])];
  for (const path of reached) {
    for (const next of imports.get(path) ?? []) if (!reached.includes(next)) reached.push(next);
  }
  return reached;
}

/** @param {{ readonly sources: readonly { readonly path: string }[] }} each */
function pathsOf({ sources }) {
  return new Set(sources.map(({ path }) => path));
}
