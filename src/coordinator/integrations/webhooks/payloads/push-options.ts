/** Options that may be repeated with different values; the number of repetitions is reported. */
const REPEATED = new Set(['variable', 'input', 'label', 'unlabel', 'assign', 'unassign'])

type Values = Record<string, string | true | Record<string, number>>

/**
 * Values of `git push -o` as shown in payloads: `ci.skip` becomes `{"ci":{"skip":true}}`, `ci.variable=A=1`
 * becomes `{"ci":{"variable":{"A=1":1}}}`. Options of another form are left out.
 */
export function pushOptions(options: readonly string[]): Record<string, Values> {
  const spaces = new Map<string, Map<string, Values[string]>>()
  for (const option of options) {
    const parts = /^([a-z_]+)\.([a-z_]+)(?:=(.*))?$/s.exec(option)
    const [, space, name, value] = parts ?? []
    if (space === undefined || name === undefined) continue
    const values = spaces.get(space) ?? new Map<string, Values[string]>()
    spaces.set(space, values.set(name, valueOf(name, value, values.get(name))))
  }
  return Object.fromEntries([...spaces].map(([space, values]) => [space, Object.fromEntries(values)]))
}

function valueOf(
  name: string,
  value: string | undefined,
  before: Values[string] | undefined,
): Values[string] {
  if (value === undefined) return true
  if (!REPEATED.has(name)) return value
  const counts = new Map(typeof before === 'object' ? Object.entries(before) : [])
  return Object.fromEntries(counts.set(value, (counts.get(value) ?? 0) + 1))
}
