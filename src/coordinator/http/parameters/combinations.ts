/** Which parameters go together, by their names (API gaps, A4). */
export interface Combinations {
  /** Of each group at most one may be given. */
  exclusive?: readonly (readonly string[])[]
  /** Of each group at least one must be given. */
  atLeastOne?: readonly (readonly string[])[]
  /** Of each group exactly one must be given. */
  exactlyOne?: readonly (readonly string[])[]
  /** Each group must be given as a whole or not at all. */
  allOrNone?: readonly (readonly string[])[]
}

export function namesIn({ exclusive, atLeastOne, exactlyOne, allOrNone }: Combinations): string[] {
  return [exclusive, atLeastOne, exactlyOne, allOrNone].flatMap((groups) => groups ?? []).flat()
}

export type ProblemsOf = (isGiven: (name: string) => boolean) => string[]

/** Makes the function that finds what is wrong, in the words that clients parse. */
export function compileCombinations(combinations: Combinations): ProblemsOf {
  const { exclusive = [], atLeastOne = [], exactlyOne = [], allOrNone = [] } = combinations
  return (isGiven) => {
    const given = (group: readonly string[]): string[] => group.filter(isGiven)
    return [
      ...[...exclusive, ...exactlyOne]
        .filter((group) => given(group).length > 1)
        .map((group) => `${given(group).join(', ')} are mutually exclusive`),
      ...atLeastOne
        .filter((group) => given(group).length === 0)
        .map((group) => `${group.join(', ')} are missing, at least one parameter must be provided`),
      ...exactlyOne
        .filter((group) => given(group).length === 0)
        .map((group) => `${group.join(', ')} are missing, exactly one parameter must be provided`),
      ...allOrNone
        .filter((group) => given(group).length > 0 && given(group).length < group.length)
        .map((group) => `${group.join(', ')} provide all or none of parameters`),
    ]
  }
}
