export interface Heading {
  isOptional: boolean
  /** Empty if it is missing. */
  name: string
  /** The text of the second brackets; undefined without them. */
  approvals: string | undefined
  /** The rest of the line, which names default owners. */
  owners: string
}

/**
 * Reads the heading of a section, such as `^[Docs][2] @writers`. Undefined for other lines, also for patterns that begin with
 * a set of characters (`[Dd]ocs/`).
 */
export function parseHeading(line: string): Heading | 'not closed' | undefined {
  const isOptional = line.startsWith('^')
  const from = isOptional ? 1 : 0
  if (line[from] !== '[') return undefined
  const end = line.indexOf(']', from)
  if (end === -1) return 'not closed'
  const name = line.slice(from + 1, end).trim()
  const rest = line.slice(end + 1)
  const second = rest.startsWith('[') ? rest.indexOf(']') : -1
  const approvals = second === -1 ? undefined : rest.slice(1, second).trim()
  const owners = rest.slice(second + 1)
  if (owners !== '' && !/^\s/.test(owners)) return undefined
  return { isOptional, name, approvals, owners: owners.trim() }
}
