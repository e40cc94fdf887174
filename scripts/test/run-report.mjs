/**
 * What a run of Vitest says about its tests (`test/support/run-reporter.ts` writes it).
 * @typedef {object} RunReport
 * @property {boolean} isInterrupted
 * @property {number} errors that belong to no test, such as a rejected promise that nobody handles
 * @property {TestFile[]} files that ran
 * @property {Failure[]} failures
 * @property {string[]} passed the names of the tests, groups and files that passed
 */

/**
 * @typedef {object} TestFile
 * @property {string} project empty in a configuration without projects
 * @property {string} path absolute
 */

/**
 * A test that failed, or a group or file whose hooks or imports did.
 * @typedef {object} Failure
 * @property {TestFile} file
 * @property {string} name with project, file and title: the same one in each run
 * @property {string} reason the first line of the first error
 */

/** More files than this fail because of a change, and running them again only takes time. */
const MAX_FILES_AGAIN = 5

/**
 * The files of a failed run that are worth a second run.
 * @param {RunReport} report
 * @returns {TestFile[]} none if a second run could not change the result, or if one file ran and thus was alone before
 */
export function filesToRunAgain({ isInterrupted, errors, files, failures }) {
  if (isInterrupted || errors > 0 || files.length < 2) return []
  const failed = files.filter(({ project, path }) =>
    failures.some(({ file }) => file.project === project && file.path === path),
  )
  return failed.length > MAX_FILES_AGAIN ? [] : failed
}

/**
 * What a second run of the failed files says about the first run.
 * @param {RunReport} first
 * @param {RunReport} second
 * @returns {{ failedOnce: Failure[], failed: Failure[] }} those that passed in the second run, and all others, with what
 *   failed in the second run alone
 */
export function compareRuns(first, second) {
  const passed = new Set(second.passed)
  // Two tests may have one name.
  for (const { name } of second.failures) passed.delete(name)
  const before = new Set(first.failures.map(({ name }) => name))
  return {
    failedOnce: first.failures.filter(({ name }) => passed.has(name)),
    failed: [
      ...first.failures.filter(({ name }) => !passed.has(name)),
      ...second.failures.filter(({ name }) => !before.has(name)),
    ],
  }
}
