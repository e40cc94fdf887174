/** Keys of issues at another service: `PROJ-12`. */
const KEY = /\b[A-Z][A-Z0-9_]+-\d+\b/g
/** Keys of one text that count. */
const MAX_KEYS = 50

/** In their order, each once. */
export function issueKeys(text: string): string[] {
  return [...new Set(Array.from(text.matchAll(KEY), ([key]) => key))].slice(0, MAX_KEYS)
}

const KEYWORD =
  /\b(?:clos(?:e[sd]?|ing)|fix(?:e[sd]|ing)?|resolv(?:e[sd]?|ing)|implement(?:s|ed|ing)?):? +(?:issues? +)?/gi
const SEPARATOR = / *, *(?:and +)?| +and +| +/y

/** The keys that a text closes: `Closes PROJ-1`, `Fixes: PROJ-1, PROJ-2 and PROJ-3`. */
export function closedKeys(text: string): string[] {
  const ends = new Map(Array.from(text.matchAll(KEY), ({ index, 0: key }) => [index, key]))
  const closed = new Set<string>()
  for (const { index, 0: keyword } of text.matchAll(KEYWORD)) {
    let at = index + keyword.length
    for (let key = ends.get(at); key !== undefined; key = ends.get(at)) {
      closed.add(key)
      at += key.length
      SEPARATOR.lastIndex = at
      at += SEPARATOR.exec(text)?.[0].length ?? 0
    }
  }
  return [...closed].slice(0, MAX_KEYS)
}
