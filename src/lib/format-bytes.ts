const UNITS = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB']

/** Formats a number of bytes for display: `512 bytes`, `1.5 MiB`. */
export function formatBytes(bytes: number): string {
  const power = Math.min(Math.floor(Math.log2(Math.max(bytes, 1)) / 10), UNITS.length - 1)
  const count = bytes / 1024 ** power
  return `${Number.isInteger(count) ? count : count.toFixed(1)} ${UNITS[power]!}`
}
