import { SetupError } from '../setup/say.mjs'

/** `1.2.3` or `1.2.3-rc.4`: what this project publishes of Semantic Versioning. */
const VERSION = /^(\d+)\.(\d+)\.(\d+)(?:-rc\.(\d+))?$/
const PARTS = /** @type {const} */ (['major', 'minor', 'patch'])

/**
 * The version to release: `wanted` itself, or the next one if `wanted` is `major`, `minor` or `patch`.
 * @param {string} present the version in package.json
 * @param {string} wanted
 * @returns {string}
 * @throws {SetupError} if it is not a version, or not newer than the present one
 */
export function nextVersion(present, wanted) {
  const next = increment(present, wanted) ?? wanted
  if (compare(next, present) > 0) return next
  throw new SetupError(`${next} is not newer than ${present}, the version in package.json.`)
}

/**
 * The version of the Debian package. `~` sorts before everything, so that a candidate is older than its release.
 * @param {string} version
 */
export function debianVersion(version) {
  return `${version.replace('-', '~')}-1`
}

/** @param {string} version */
export function tagOf(version) {
  return `v${version}`
}

/**
 * @param {string} present
 * @param {string} wanted
 */
function increment(present, wanted) {
  const part = PARTS.findIndex((name) => name === wanted)
  if (part === -1) return undefined
  const numbers = parse(present).slice(0, PARTS.length)
  return numbers.map((number, at) => (at < part ? number : at === part ? number + 1 : 0)).join('.')
}

/**
 * @param {string} one
 * @param {string} other
 * @returns {number} above 0 if `one` is newer
 */
function compare(one, other) {
  const [a, b] = [parse(one), parse(other)]
  const differs = a.findIndex((number, at) => number !== b[at])
  return differs === -1 ? 0 : (a[differs] ?? 0) - (b[differs] ?? 0)
}

/**
 * Major, minor, patch and candidate. A release is newer than all its candidates.
 * @param {string} version
 */
function parse(version) {
  const [, major, minor, patch, candidate = Infinity] = VERSION.exec(version) ?? []
  if (patch === undefined) {
    throw new SetupError(
      `"${version}" is not a version such as 1.2.3 or 1.2.3-rc.1, nor major, minor or patch.`,
    )
  }
  return [major, minor, patch, candidate].map(Number)
}
