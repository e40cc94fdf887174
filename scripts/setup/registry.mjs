import { existsSync } from 'node:fs'

import { installPackages } from './debian-packages.mjs'
import { findProgram } from './find-program.mjs'
import { run } from './run.mjs'

const PROGRAM = 'docker-registry'

/** The registry that tests pull from. Each test starts its own. */
export async function ensureRegistry() {
  if (await findProgram(PROGRAM)) return
  await installPackages([PROGRAM], 'pull images in tests')
  // The package also starts a registry that is open to everyone on all addresses of the machine. It is not wanted.
  if (existsSync('/run/systemd/system')) await run('systemctl', ['disable', '--now', PROGRAM])
}
