/** CI language, 8.5 and 18. */
export const MAX_DOTENV_BYTES = 5120
const MAX_DOTENV_VARIABLES = 20

export interface DotenvVariable {
  key: string
  value: string
}

export type Dotenv = { kind: 'variables'; variables: DotenvVariable[] } | { kind: 'invalid'; problem: string }

/**
 * Parses the files of a dotenv report (CI language, 8.5): one `KEY=value` per line, split at the first `=`,
 * surrounding blanks removed, quotes kept. The last value of a repeated key counts.
 */
export function parseDotenv(files: readonly Buffer[], most: number = MAX_DOTENV_VARIABLES): Dotenv {
  const variables = new Map<string, string>()
  for (const line of files.flatMap(linesOf)) {
    const cut = line.indexOf('=')
    if (cut < 0) return invalid('Invalid Format')
    const key = line.slice(0, cut).trim()
    if (!/^[a-zA-Z0-9_]{1,255}$/.test(key)) {
      return invalid("Validation failed: Key can contain only letters, digits and '_'.")
    }
    variables.delete(key)
    variables.set(key, line.slice(cut + 1).trim())
  }
  if (variables.size > most) {
    return invalid(`Dotenv files cannot have more than ${most} variables`)
  }
  return { kind: 'variables', variables: [...variables].map(([key, value]) => ({ key, value })) }
}

/** The final line end does not start another line. */
function linesOf(file: Buffer): string[] {
  const text = new TextDecoder('utf-8').decode(file)
  return text === '' ? [] : text.replace(/\n$/, '').split('\n')
}

function invalid(problem: string): Dotenv {
  return { kind: 'invalid', problem }
}
