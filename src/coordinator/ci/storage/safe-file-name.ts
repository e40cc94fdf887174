/** Characters that a name may have at most. */
const LONGEST = 200

/**
 * The name under which an upload is stored and served: letters, digits and `_.+-`, without folders, invisible
 * characters or a leading dot. Other characters become `_`.
 */
export function safeFileName(name: string): string {
  const base = name.split(/[\\/]/).at(-1) ?? ''
  const safe = base
    .normalize('NFC')
    .replace(/[^\p{L}\p{N}_.+-]/gu, '_')
    .replace(/^\.+/, '_')
  return shortened(safe === '' ? 'file' : safe)
}

/** Shortens the name and keeps the extension. */
function shortened(name: string): string {
  if (name.length <= LONGEST) return name
  const extension = /\.[\w]{1,10}$/.exec(name)?.[0] ?? ''
  // Drop half of a surrogate pair.
  return name.slice(0, LONGEST - extension.length).replace(/[\ud800-\udbff]$/, '') + extension
}
