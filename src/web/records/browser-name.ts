const BROWSERS = [
  ['Edge', /Edg\//],
  ['Opera', /OPR\//],
  ['Chrome', /Chrom(?:e|ium)\//],
  ['Firefox', /Firefox\//],
  ['Safari', /Safari\//],
] as const

const SYSTEMS = [
  ['Android', /Android/],
  ['iOS', /iPhone|iPad/],
  ['Windows', /Windows/],
  ['macOS', /Mac OS X/],
  ['Linux', /Linux/],
] as const

/** "Firefox on Linux", from a `User-Agent`; other programs are named by its first word. */
export function browserOf(agent: string | null): string {
  if (agent === null) return 'Unknown browser'
  const find = (table: readonly (readonly [string, RegExp])[]) =>
    table.find(([, pattern]) => pattern.test(agent))?.[0]
  const browser = find(BROWSERS)
  const system = find(SYSTEMS)
  if (browser === undefined) return agent.split(/[\s/]/)[0] || 'Unknown browser'
  return system === undefined ? browser : `${browser} on ${system}`
}
