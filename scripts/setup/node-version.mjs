import { SetupError } from './say.mjs'

const MINIMUM = [20, 19]

/**
 * @param {string} [version] without the leading `v`
 * @throws {SetupError} if this Node.js is too old
 */
export function checkNodeVersion(version = process.versions.node) {
  if (isEnough(version)) return
  throw new SetupError(`Node.js ${MINIMUM.join('.')} or newer is needed; this is ${version}.`)
}

/** @param {string} version */
function isEnough(version) {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const [wantedMajor = 0, wantedMinor = 0] = MINIMUM
  return major > wantedMajor || (major === wantedMajor && minor >= wantedMinor)
}
