import { ensureBuild } from './build.mjs'
import { ensureDependencies } from './dependencies.mjs'
import { ensureGit } from './git.mjs'
import { checkNodeVersion } from './node-version.mjs'

/** From a bare clone to compiled programs; what is there already is left alone. */
export async function prepare() {
  checkNodeVersion()
  await ensureGit()
  await ensureDependencies()
  await ensureBuild()
}
