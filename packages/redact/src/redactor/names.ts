/** Keeps names of one object apart: two with one mark would be one member. */
export function distinctNames(): (name: string) => string {
  const taken = new Set<string>();
  return (name) => {
    let own = name;
    for (let again = 2; taken.has(own); again++)
      own = `${own.replace(/(?: #\d+)?\]$/, "")} #${again}]`;
    taken.add(own);
    return own;
  };
}
