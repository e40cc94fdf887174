import type { TraceOutline } from '../../../../coordinator/ci/jobs/trace/schema.js'

export type Section = TraceOutline['sections'][number]

/** A section of two attempts of a job; one side is missing if only the other attempt has it. */
export interface SectionPair {
  title: string
  before: Section | undefined
  after: Section | undefined
}

/** The outer sections of two attempts, those of one name side by side, in the order of the later attempt. */
export function pairSections(before: readonly Section[], after: readonly Section[]): SectionPair[] {
  const left = before.filter(({ depth }) => depth === 0)
  const pairs = after
    .filter(({ depth }) => depth === 0)
    .map((section): SectionPair => {
      const at = left.findIndex(({ name }) => name === section.name)
      const [found] = at < 0 ? [] : left.splice(at, 1)
      return { title: section.title, before: found, after: section }
    })
  return [...pairs, ...left.map((section) => ({ title: section.title, before: section, after: undefined }))]
}

/**
 * The index of the first line that differs, where numbers and long hexadecimal numbers do not count: times, durations and
 * IDs differ in every attempt. Undefined if the lines are the same as far as both go.
 */
export function firstDifference(before: readonly string[], after: readonly string[]): number | undefined {
  const end = Math.min(before.length, after.length)
  for (let index = 0; index < end; index += 1)
    if (withoutNumbers(before[index] ?? '') !== withoutNumbers(after[index] ?? '')) return index
  return undefined
}

function withoutNumbers(line: string): string {
  return line.trimEnd().replaceAll(/\b(?:[0-9a-f]{7,}|\d+(?:[.,:]\d+)*)(?=\b|[a-z]+\b)/gi, '#')
}
