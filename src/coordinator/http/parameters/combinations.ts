import type { Combinations, Operation } from '../operation.js'

/** Throws if a rule has a misspelled parameter name: it would never apply. */
export function refuseUnknownNames(operation: Pick<Operation, 'params' | keyof Combinations>): void {
  const { params } = operation
  if (!params) return
  for (const name of namesIn(operation)) {
    if (!params.properties[name]) throw new TypeError(`${name} is not a parameter of the operation`)
  }
}

function namesIn({ exclusive, atLeastOne, exactlyOne, allOrNone, needs }: Combinations): string[] {
  // Most operations have no rule. This check must be fast, because a coordinator has a thousand of them.
  const groups = [exclusive, atLeastOne, exactlyOne, allOrNone, needs && Object.entries(needs)]
  return groups.some((group) => group) ? groups.flatMap((group) => group ?? []).flat() : []
}

/** The rules as text, one sentence each. */
export function sentencesOf({
  exclusive = [],
  atLeastOne = [],
  exactlyOne = [],
  allOrNone = [],
  needs = {},
}: Combinations): string[] {
  const named = (group: readonly string[]): string =>
    group.length > MAX_LIST_LENGTH ? 'the parameters' : group.map((name) => `\`${name}\``).join(', ')
  return [
    ...exclusive.map((group) => `At most one of ${named(group)} may be set.`),
    ...atLeastOne.map((group) => `At least one of ${named(group)} must be set.`),
    ...exactlyOne.map((group) => `Exactly one of ${named(group)} must be set.`),
    ...allOrNone.map((group) => `All of ${named(group)} must be set, or none.`),
    ...Object.entries(needs).map(([name, other]) => `\`${name}\` needs \`${other}\` too.`),
  ]
}

/** Longer lists contain nearly all parameters and are not spelled out. */
const MAX_LIST_LENGTH = 8

export type ProblemsOf = (isGiven: (name: string) => boolean) => string[]

/** Compiles a function that checks the rules; its messages have the wording that clients parse. */
export function compileCombinations(combinations: Combinations): ProblemsOf {
  const { exclusive = [], atLeastOne = [], exactlyOne = [], allOrNone = [], needs = {} } = combinations
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
      ...Object.entries(needs)
        .filter(([name, other]) => isGiven(name) && !isGiven(other))
        .map(([, other]) => `${other} is missing`),
    ]
  }
}
