const SECONDS: Record<string, number> = { ns: 1e-9, us: 1e-6, µs: 1e-6, ms: 1e-3, s: 1, m: 60, h: 3600 }

/** Parses a duration such as `1h30m` or `500ms` into seconds. Returns undefined for other texts. */
export function parseDuration(text: string): number | undefined {
  const trimmed = text.trim()
  if (!/^(\d+(\.\d+)?(ns|us|µs|ms|s|m|h))+$/.test(trimmed)) return trimmed === '0' ? 0 : undefined
  let seconds = 0
  for (const [, number, unit] of trimmed.matchAll(/(\d+(?:\.\d+)?)(ns|us|µs|ms|s|m|h)/g)) {
    seconds += Number(number) * SECONDS[unit!]!
  }
  return seconds
}

/** Formats whole seconds as in job logs: `1h0m0s`, `2m5s`, `40s`. */
export function formatDuration(seconds: number): string {
  const hours = Math.floor(seconds / 3600)
  const minutes = Math.floor((seconds % 3600) / 60)
  const rest = `${Math.floor(seconds % 60)}s`
  if (hours > 0) return `${hours}h${minutes}m${rest}`
  return minutes > 0 ? `${minutes}m${rest}` : rest
}
