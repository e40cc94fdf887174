import { ensureBuild } from './build.mjs'
import { ensureDependencies } from './dependencies.mjs'
import { ensureGit } from './git.mjs'
import { checkNodeVersion } from './node-version.mjs'

/** Installs dependencies and builds the programs of a fresh clone. Skips steps that are up to date. */
export async function prepare() {
  await prepareDependencies()
  await ensureBuild()
}

/** Installs what the sources of a fresh clone need. Skips steps that are up to date. */
export async function prepareDependencies() {
  checkNodeVersion()
  await ensureGit()
  await ensureDependencies()
}
