const NUMBER = /\d+(?:\.\d+)?/
/** RE2 has flags at the beginning of an expression, JavaScript separately. */
const FLAGS = /^\(\?([ims]+)\)/

/**
 * The number that the server would take from a line that matches: of the last match, from the first group that is not
 * empty, or else from the whole match. Undefined without a number, and for expressions that only RE2 understands.
 */
export function coverageOfLine(expression: string, line: string): number | undefined {
  const [whole = '', flags = ''] = FLAGS.exec(expression) ?? []
  let regex
  try {
    regex = new RegExp(expression.slice(whole.length), `g${flags}`)
  } catch {
    return undefined
  }
  const match = [...line.matchAll(regex)].at(-1)
  if (!match) return undefined
  const text = match.slice(1).find((group) => group) ?? match[0]
  const number = NUMBER.exec(text)?.[0]
  return number === undefined ? undefined : Number(number)
}
