import { installPackages } from './debian-packages.mjs'
import { findProgram } from './find-program.mjs'

export async function ensureOpenSsh() {
  if (await findProgram('ssh')) return
  await installPackages(['openssh-client'], 'test git over SSH')
}

/** The server of the tests of Docker hosts behind SSH. */
export async function ensureOpenSshServer() {
  if (await findProgram('sshd')) return
  await installPackages(['openssh-server'], 'test Docker engines over SSH')
}
