import { installPackages } from './debian-packages.mjs'
import { findProgram } from './find-program.mjs'

export async function ensureGit() {
  if (await findProgram('git')) return
  await installPackages(['git'], 'keep repositories')
}
