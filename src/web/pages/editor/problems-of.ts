import type { LintProblem, LintReport } from '../../../coordinator/ci/lint/schema.js'

/** The file that a text is taken for when it is checked. */
export const CHECKED_FILE = '.gitlab-ci.yml'

/**
 * The problems of a file, errors first. That an event has no pipeline is no problem of the file.
 */
export function problemsOf({ event, problems }: LintReport): LintProblem[] {
  const isValid = event?.outcome === 'filtered' || event?.outcome === 'empty'
  return problems
    .filter(({ severity }) => !isValid || severity === 'warning')
    .toSorted((a, b) => rank(a) - rank(b) || (a.line ?? 0) - (b.line ?? 0))
}

function rank({ severity }: LintProblem): number {
  return severity === 'error' ? 0 : 1
}

/** Why an event has no pipeline although the file is valid. */
export function noPipelineReason({ event, errors }: LintReport): string | undefined {
  return event?.outcome === 'filtered' || event?.outcome === 'empty' ? errors[0] : undefined
}
