/** Least number of characters: shorter values would hide ordinary words of a log. */
const LEAST = 8

/**
 * Why a value cannot be masked in logs; undefined if it can (CI language, 8.2).
 * @param isExpanded references to other variables in the value are replaced
 */
export function maskingProblem(value: string, isExpanded: boolean): string | undefined {
  if (/\s/.test(value))
    return 'A masked value has no spaces and is one line, because logs are masked line by line.'
  if (value.length < LEAST) return `A masked value has at least ${LEAST} characters.`
  const [other] = /[^a-zA-Z0-9_+=/@:.~-]/.exec(value) ?? []
  if (isExpanded && other !== undefined) {
    return `A masked value whose references are expanded cannot have "${other}": what it stands for may differ in each job.`
  }
  return undefined
}
