import { canInstallPackages, installPackages } from './debian-packages.mjs'
import { findProgram } from './find-program.mjs'
import { CommandError } from './run.mjs'
import { say } from './say.mjs'

const CHROMIUM = 'chromium'
const SHELL = 'chromium-headless-shell'
const FONTS = 'fonts-dejavu-core'
const PURPOSE = 'test the pages in a browser'

/**
 * The path of Chromium for the tests of the pages. `SWITCHYARD_TEST_CHROMIUM` names another one.
 * @returns {Promise<string>}
 */
export async function ensureChromium() {
  const named = process.env['SWITCHYARD_TEST_CHROMIUM']
  if (named) return named
  const found = await findProgram(CHROMIUM)
  if (found) return found
  await installPackages([CHROMIUM, FONTS], PURPOSE)
  const installed = await findProgram(CHROMIUM)
  if (!installed) throw new Error('The package chromium has no program of that name')
  return installed
}

/**
 * The path of the headless shell of Chromium, where the same pages take much less processor time because no window is
 * drawn for them. It has no viewer for PDF. Where it cannot be installed, the path of Chromium.
 * @returns {Promise<string>}
 */
export async function ensureHeadlessShell() {
  const named = process.env['SWITCHYARD_TEST_CHROMIUM']
  if (named) return named
  return (await findProgram(SHELL)) ?? (await installShell()) ?? (await ensureChromium())
}

/** The path of the shell; none if this process cannot install packages, or the distribution has no such package. */
async function installShell() {
  if (!(await canInstallPackages())) return undefined
  try {
    await installPackages([SHELL, FONTS], PURPOSE)
  } catch (error) {
    if (!(error instanceof CommandError)) throw error
    say(`${SHELL} cannot be installed: ${error.message}`)
  }
  return findProgram(SHELL)
}
