const MAX_LINES = 2000

/** The indentation of one level that a text uses: a tab, or two, four or eight spaces. Two spaces where it shows none. */
export function indentationOf(text: string): string {
  const counts = new Map<number, number>()
  let tabs = 0
  let before = 0
  for (const line of text.split('\n', MAX_LINES)) {
    if (line.trim() === '') continue
    if (line.startsWith('\t')) tabs += 1
    const width = /^ */.exec(line)?.[0].length ?? 0
    const step = width - before
    if ([2, 4, 8].includes(step)) counts.set(step, (counts.get(step) ?? 0) + 1)
    before = width
  }
  const [width, count] = [...counts].toSorted(([, a], [, b]) => b - a)[0] ?? [2, 0]
  return tabs > count ? '\t' : ' '.repeat(width)
}

/**
 * The indentation of what follows a line of YAML that ends with a key, in columns. Undefined for other lines.
 * @param unit columns of one level
 */
export function indentBelowKey(line: string, unit: number): number | undefined {
  const [, before] = /^(\s*(?:- +)*)[^\s#][^#]*:\s*(?:#.*)?$/.exec(line) ?? []
  return before === undefined ? undefined : before.length + unit
}
