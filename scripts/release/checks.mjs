/**
 * @typedef {object} Check
 * @property {string} name the flag `--without-<name>` leaves it out
 * @property {[string, ...string[]]} command
 */

/**
 * What must pass before a release. The nightly run has the tests of the first one too, and takes hours: so the first one
 * ends a release that cannot succeed.
 * @type {readonly Check[]}
 */
export const CHECKS = [
  { name: 'ci', command: ['.ci/run'] },
  { name: 'nightly', command: ['npm', 'run', 'test:nightly'] },
]

/**
 * Splits the arguments of the command into the version and the checks to make and to leave out.
 * @param {readonly string[]} args
 * @returns {{ version: string, made: Check[], leftOut: Check[] } | undefined} undefined if they are not understood
 */
export function parseArguments(args) {
  const flags = args.filter((argument) => argument.startsWith('-'))
  const [version, ...more] = args.filter((argument) => !argument.startsWith('-'))
  const known = CHECKS.map(flagOf)
  if (version === undefined || more.length > 0 || flags.some((flag) => !known.includes(flag)))
    return undefined
  const isLeftOut = (/** @type {Check} */ check) => flags.includes(flagOf(check))
  return {
    version,
    made: CHECKS.filter((check) => !isLeftOut(check)),
    leftOut: CHECKS.filter(isLeftOut),
  }
}

/** @param {Check} check */
export function flagOf({ name }) {
  return `--without-${name}`
}
