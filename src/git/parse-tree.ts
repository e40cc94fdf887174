/** Octal mode and ID of an entry, in a form that is equal for equal versions and not meant to be read. */
export type TreeVersion = string

/** Parses a tree object in git's format: versions of the entries by their names. */
export function parseTree(content: Buffer, idBytes = 20): Map<string, TreeVersion> {
  const entries = new Map<string, TreeVersion>()
  for (let at = 0; at < content.length;) {
    const space = content.indexOf(0x20, at)
    const end = content.indexOf(0, space)
    if (space < 0 || end < 0) break
    const next = end + 1 + idBytes
    const version = content.toString('latin1', at, space) + content.toString('latin1', end + 1, next)
    entries.set(content.toString('utf8', space + 1, end), version)
    at = next
  }
  return entries
}
