const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB']

/** A size as people read it: `512 B`, `1.4 MiB`, `23 GiB`. */
export function formatBytes(bytes: number): string {
  const exponent = Math.min(Math.floor(Math.log2(Math.max(1, bytes)) / 10), UNITS.length - 1)
  const value = bytes / 1024 ** exponent
  return `${exponent === 0 || value >= 100 ? Math.round(value) : value.toFixed(1).replace(/\.0$/, '')} ${UNITS[exponent]}`
}

/** A count in groups of three digits; with `isAtLeast`, followed by a plus sign. */
export function formatCount(count: number, isAtLeast = false): string {
  return `${count.toLocaleString('en')}${isAtLeast ? '+' : ''}`
}
