/** True if Windows takes two names for one: it compares letter by letter, in upper case. */
export function sameForWindows(name: string, other: string): boolean {
  return name === other || letterByLetter(name) === letterByLetter(other);
}

function letterByLetter(name: string): string {
  return name.replace(/\P{ASCII}|[a-z]/gu, (letter) => {
    const upper = letter.toUpperCase();
    return upper.length === letter.length ? upper : letter;
  });
}

/** True if some file system takes two names for one. */
export function sameForSome(name: string, other: string): boolean {
  return name === other || folded(name) === folded(other);
}

/** Characters that some file systems leave out of names, as they are invisible. */
const ignorable = /\p{Default_Ignorable_Code_Point}/gu;
const ascii = /^[\0-~]*$/;

/** What all names have in common that some file system takes for one. `ß` and `SS` are one for that of a Mac, and all three forms of sigma. */
export function folded(name: string): string {
  if (ascii.test(name)) return name.toUpperCase();
  const upper = name.replace(ignorable, "").normalize("NFKC").toUpperCase();
  return upper.normalize("NFKC");
}

/** The names of the files that a name in a path opens on one system or another. Windows cuts a stream off, and points and blanks at the end. */
export function namesThatOpen(name: string): readonly string[] {
  if (/^[\w-]+(?:\.[\w-]+)*$/.test(name)) return [name];
  const pieces = new Set([name, ...name.split(":")].map((piece) => piece.replace(ignorable, "")));
  for (const piece of [...pieces]) pieces.add(piece.replace(/(?<![. ])[. ]+$/, ""));
  return [name, ...pieces];
}

/** Returns a question about entries of a folder: may the name open this one, on some system or in some server? */
export function mayOpen(name: string): (entry: string) => boolean {
  const forms = formsOf(name);
  return (entry) => formsOf(entry).some((form) => forms.includes(form));
}

function formsOf(name: string): readonly string[] {
  return namesThatOpen(name)
    .map(folded)
    .filter((form) => form !== "");
}
