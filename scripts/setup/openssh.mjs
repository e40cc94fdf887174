import { installPackages } from './debian-packages.mjs'
import { findProgram } from './find-program.mjs'

export async function ensureOpenSsh() {
  if (await findProgram('ssh')) return
  await installPackages(['openssh-client'], 'test git over SSH')
}
