import type { TraceSection } from './trace-scanner.js'

/** Sections that follow the one that failed. */
const AFTER_FAILURE = new Set([
  'after_script',
  'archive_cache_on_failure',
  'upload_artifacts_on_failure',
  'cleanup_file_variables',
])

/**
 * The section of the log of a failed job that failed: the last one that is not about cleaning up. In it, a script may
 * have begun a section of its own that it could not end.
 */
export function failedSection(sections: readonly TraceSection[]): TraceSection | undefined {
  const outer = sections.findLast(({ depth, name }) => depth === 0 && !AFTER_FAILURE.has(name))
  if (!outer) return undefined
  const end = outer.lastLine ?? Infinity
  const inner = sections.findLast(
    ({ depth, finishedAt, firstLine }) =>
      depth > 0 && finishedAt === null && firstLine >= outer.firstLine && firstLine <= end,
  )
  return inner ?? outer
}
