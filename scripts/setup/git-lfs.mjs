import { ensureProgram } from './ensure-program.mjs'

export async function ensureGitLfs() {
  await ensureProgram('git-lfs', 'test sources with large files')
}
