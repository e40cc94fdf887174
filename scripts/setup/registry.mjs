import { existsSync } from 'node:fs'

import { installPackages } from './debian-packages.mjs'
import { findProgram } from './find-program.mjs'
import { run } from './run.mjs'

const PROGRAM = 'docker-registry'

/** The registry that tests pull from; each starts one of its own. */
export async function ensureRegistry() {
  if (await findProgram(PROGRAM)) return
  await installPackages([PROGRAM], 'pull images in tests')
  // The package also starts one, on every address of the machine and open to everybody: nobody asked for that.
  if (existsSync('/run/systemd/system')) await run('systemctl', ['disable', '--now', PROGRAM])
}
