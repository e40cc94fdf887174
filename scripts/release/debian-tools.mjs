import { installPackages } from '../setup/debian-packages.mjs'
import { findProgram } from '../setup/find-program.mjs'

/** Programs that build the Debian package, each with the package that it is in. */
const TOOLS = { dh: 'debhelper', 'dpkg-buildpackage': 'dpkg-dev', help2man: 'help2man' }

export async function ensureDebianTools() {
  await ensure(TOOLS, 'build the Debian package')
}

export async function ensureLintian() {
  await ensure({ lintian: 'lintian' }, 'check the Debian package')
}

/**
 * @param {Readonly<Record<string, string>>} tools
 * @param {string} purpose
 */
async function ensure(tools, purpose) {
  const found = await Promise.all(Object.keys(tools).map(findProgram))
  const missing = Object.values(tools).filter((_, index) => found[index] === undefined)
  if (missing.length > 0) await installPackages(missing, purpose)
}
