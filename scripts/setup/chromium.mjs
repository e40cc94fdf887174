import { installPackages } from './debian-packages.mjs'
import { findProgram } from './find-program.mjs'

/**
 * The path of Chromium for the tests of the pages. `SWITCHYARD_TEST_CHROMIUM` names another one.
 * @returns {Promise<string>}
 */
export async function ensureChromium() {
  const named = process.env['SWITCHYARD_TEST_CHROMIUM']
  if (named) return named
  const found = await findProgram('chromium')
  if (found) return found
  await installPackages(['chromium', 'fonts-dejavu-core'], 'test the pages in a browser')
  const installed = await findProgram('chromium')
  if (!installed) throw new Error('The package chromium has no program of that name')
  return installed
}
