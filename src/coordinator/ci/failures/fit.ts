import type { JobFailure } from './schema.js'

/** Bytes of a failure as JSON. */
export const MAX_FAILURE_BYTES = 2048

/**
 * Leaves out the least important things until the failure is small enough. Each of them has an address at which all of it
 * can be read. In this order: commits, tests beyond the first, lines far from the one that says why.
 */
export function fit(failure: JobFailure, limit = MAX_FAILURE_BYTES): JobFailure {
  let current = failure
  while (Buffer.byteLength(JSON.stringify(current)) > limit) {
    const smaller = reduce(current)
    if (!smaller) return current
    current = smaller
  }
  return current
}

function reduce(failure: JobFailure): JobFailure | undefined {
  return (
    withoutCommit(failure, 1) ??
    withoutTest(failure, 2) ??
    withoutLine(failure, 4) ??
    withoutCommit(failure, 0) ??
    withoutTest(failure, 1) ??
    withoutLine(failure, 1) ??
    withoutTexts(failure)
  )
}

function withoutCommit(failure: JobFailure, least: number): JobFailure | undefined {
  const { commits } = failure.history
  if (!commits || commits.newest.length <= least) return undefined
  const history = { ...failure.history, commits: { ...commits, newest: commits.newest.slice(0, -1) } }
  return { ...failure, history }
}

function withoutTest(failure: JobFailure, least: number): JobFailure | undefined {
  const { tests } = failure
  if (!tests || tests.failed.length <= least) return undefined
  return { ...failure, tests: { ...tests, failed: tests.failed.slice(0, -1) } }
}

/** The lines of the log were chosen by their worth, but are in the order of the log: the farthest goes first. */
function withoutLine(failure: JobFailure, least: number): JobFailure | undefined {
  const { log } = failure
  if (!log || log.lines.length <= least) return undefined
  const distances = log.lines.map(({ line }) => Math.abs(line - log.failing_line))
  const farthest = distances.indexOf(Math.max(...distances))
  return { ...failure, log: { ...log, lines: log.lines.filter((_line, index) => index !== farthest) } }
}

/** Characters of the texts when nothing else can be left out, one after the other. */
const SHORT = [100, 60, 30]

function withoutTexts(failure: JobFailure): JobFailure | undefined {
  const all = JSON.stringify(failure)
  const shorter = SHORT.map((length) => shortened(failure, length) as JobFailure)
  return shorter.find((short) => JSON.stringify(short).length < all.length)
}

function shortened(value: unknown, length: number): unknown {
  if (typeof value === 'string' && !/^(?:\/|https?:|switchyard |[0-9a-f]{40,64}$)/.test(value)) {
    return value.length > length + 1 ? `${value.slice(0, length)}…` : value
  }
  if (Array.isArray(value)) return value.map((part) => shortened(part, length))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, shortened(part, length)]))
}
