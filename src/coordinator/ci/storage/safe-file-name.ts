/** Characters that a name may have at most. */
const LONGEST = 200

/**
 * The name under which an upload is kept and served: letters, digits and `_.+-`, without folders, without characters that
 * cannot be seen, and not hidden. What was in its place is `_`.
 */
export function safeFileName(name: string): string {
  const base = name.split(/[\\/]/).at(-1) ?? ''
  const safe = base
    .normalize('NFC')
    .replace(/[^\p{L}\p{N}_.+-]/gu, '_')
    .replace(/^\.+/, '_')
  return shortened(safe === '' ? 'file' : safe)
}

/** Keeps the extension. */
function shortened(name: string): string {
  if (name.length <= LONGEST) return name
  const extension = /\.[\w]{1,10}$/.exec(name)?.[0] ?? ''
  // Half of a character that takes two places is none.
  return name.slice(0, LONGEST - extension.length).replace(/[\ud800-\udbff]$/, '') + extension
}
