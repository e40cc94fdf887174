import { findProgram } from './find-program.mjs'
import { run } from './run.mjs'
import { say, SetupError } from './say.mjs'

const QUIET_APT = { DEBIAN_FRONTEND: 'noninteractive', NEEDRESTART_MODE: 'l' }

/** @type {Promise<unknown> | undefined} package lists are fetched once per command */
let lists

/** Whether packages can be installed: the system is of the Debian family, and this process runs as root. */
export async function canInstallPackages() {
  return process.getuid?.() === 0 && (await findProgram('apt-get')) !== undefined
}

/**
 * Installs packages of the distribution.
 * @param {string[]} packages
 * @param {string} purpose completes the sentence "… is needed to"
 * @throws {SetupError} if this process cannot install packages
 */
export async function installPackages(packages, purpose) {
  const names = packages.join(' ')
  if (!(await canInstallPackages())) {
    throw new SetupError(
      `${names} is needed to ${purpose}. Install it (on Debian and Ubuntu: sudo apt-get install ${names}) and try again.`,
    )
  }
  lists ??= refreshLists()
  await lists
  say(`installing ${names} to ${purpose}`)
  await run('apt-get', ['install', '--yes', '--quiet', '--no-install-recommends', ...packages], QUIET_APT)
}

async function refreshLists() {
  say('fetching the package lists of this system')
  await run('apt-get', ['update', '--quiet'], QUIET_APT)
}
