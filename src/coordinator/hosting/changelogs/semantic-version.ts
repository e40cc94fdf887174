/** A version as semver.org defines it, with or without `v` in front. */
export const VERSION =
  '^v?(0|[1-9][0-9]*)\\.(0|[1-9][0-9]*)\\.(0|[1-9][0-9]*)(-[0-9A-Za-z-]+(\\.[0-9A-Za-z-]+)*)?(\\+[0-9A-Za-z-]+(\\.[0-9A-Za-z-]+)*)?$'

export interface SemanticVersion {
  numbers: readonly [bigint, bigint, bigint]
  /** Identifiers of a version before a release; empty for a release. */
  pre: readonly string[]
}

/** Undefined for a text that is no semantic version. */
export function parseVersion(text: string): SemanticVersion | undefined {
  const found = new RegExp(VERSION).exec(text)
  if (!found) return undefined
  const [, major = '0', minor = '0', patch = '0', pre = ''] = found
  return {
    numbers: [BigInt(major), BigInt(minor), BigInt(patch)],
    pre: pre === '' ? [] : pre.slice(1).split('.'),
  }
}

/** Negative if `one` precedes `other`, 0 for versions of equal precedence. */
export function compareVersions(one: SemanticVersion, other: SemanticVersion): number {
  for (const [index, number] of one.numbers.entries()) {
    const difference = compare(number, other.numbers[index] ?? 0n)
    if (difference !== 0) return difference
  }
  // A release follows the versions before it.
  if (one.pre.length === 0 || other.pre.length === 0) return other.pre.length - one.pre.length
  for (const [index, part] of one.pre.entries()) {
    const opposite = other.pre[index]
    if (opposite === undefined) return 1
    const difference = compareParts(part, opposite)
    if (difference !== 0) return difference
  }
  return one.pre.length - other.pre.length
}

/** Numbers precede words. */
function compareParts(one: string, other: string): number {
  const [isNumber, isOtherNumber] = [one, other].map((part) => /^[0-9]+$/.test(part))
  if (isNumber && isOtherNumber) return compare(BigInt(one), BigInt(other))
  if (isNumber !== isOtherNumber) return isNumber ? -1 : 1
  return compare(one, other)
}

function compare<T extends bigint | string>(one: T, other: T): number {
  if (one === other) return 0
  return one < other ? -1 : 1
}
