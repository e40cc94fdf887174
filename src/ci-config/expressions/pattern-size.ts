const REPETITION = /\{(?<least>\d{1,9})(?:,(?<most>\d{0,9}))?\}/y
const ESCAPE = /\\(?:[pPx]\{[^}]*\}|.)?/sy

/**
 * The number of elements in a regular expression after its repetitions are expanded, like in its compiled
 * program: about nine for `(ab){3}`. An upper estimate from one pass over the text, which may be invalid.
 */
export function patternSize(body: string): number {
  const outer: number[] = []
  let [size, last] = [0, 0]
  for (let at = 0; at < body.length;) {
    const repeated = body[at] === '{' ? repetition(body, at) : undefined
    if (repeated) {
      size += last * (repeated.times - 1)
      last *= repeated.times
      at = repeated.end
    } else if (body[at] === '(') {
      outer.push(size)
      size = 0
      at += 1
    } else if (body[at] === ')') {
      last = size + 2
      size = (outer.pop() ?? 0) + last
      at += 1
    } else {
      last = 1
      size += 1
      at = atomEnd(body, at)
    }
  }
  return outer.reduce((sum, part) => sum + part, size)
}

function repetition(body: string, at: number): { times: number; end: number } | undefined {
  REPETITION.lastIndex = at
  const groups = REPETITION.exec(body)?.groups
  if (!groups) return undefined
  const times = Math.max(Number(groups.least), Number(groups.most ?? 0), 1)
  return { times, end: REPETITION.lastIndex }
}

/** The end of a character, an escape or a class. */
function atomEnd(body: string, at: number): number {
  if (body[at] === '\\') {
    ESCAPE.lastIndex = at
    ESCAPE.exec(body)
    return ESCAPE.lastIndex
  }
  return body[at] === '[' ? classEnd(body, at) : at + 1
}

/** A `]` right after the start belongs to the class. */
function classEnd(body: string, at: number): number {
  let end = at + (body[at + 1] === '^' ? 3 : 2)
  while (end < body.length && body[end] !== ']') end += body[end] === '\\' ? 2 : 1
  return end + 1
}
