import { installPackages } from './debian-packages.mjs'
import { findProgram } from './find-program.mjs'

/**
 * The path of a program, whose Debian package has the same name. Installs it if it is missing.
 * @param {string} name
 * @param {string} purpose what it is needed for
 * @returns {Promise<string>}
 */
export async function ensureProgram(name, purpose) {
  const found = await findProgram(name)
  if (found) return found
  await installPackages([name], purpose)
  const program = await findProgram(name)
  if (!program) throw new Error(`The package ${name} has no program ${name}`)
  return program
}
