import { installPackages } from './debian-packages.mjs'
import { findProgram } from './find-program.mjs'

export async function ensureGitLfs() {
  if (await findProgram('git-lfs')) return
  await installPackages(['git-lfs'], 'test sources with large files')
}
