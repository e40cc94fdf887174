const SKIP_MARKS = ['[ci skip]', '[ci-skip]', '[ci_skip]', '[skip ci]', '[skip-ci]', '[skip_ci]']

/** Whether a commit message skips the jobs (CI language, 9.3). */
export function hasSkipMarker(message: string): boolean {
  const lowered = message.toLowerCase()
  return SKIP_MARKS.some((mark) => lowered.includes(mark))
}
