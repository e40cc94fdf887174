const LONG_LINE = 400
const MAX_CHARACTERS = 2 * 1024 * 1024

/** A JSON text with one value on each line; undefined for what is no JSON, is large, or has short lines already. */
export function prettyJson(path: string, text: string): string | undefined {
  if (!/\.(json|sarif|webmanifest|map)$/i.test(path) || text.length > MAX_CHARACTERS) return undefined
  if (!text.split('\n').some((line) => line.length > LONG_LINE)) return undefined
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return undefined // shown as it is
  }
}
