import { installPackages } from './debian-packages.mjs'
import { findProgram } from './find-program.mjs'

/** The proxy of the tests with several coordinators, in the nightly run. */
export async function ensureNginx() {
  return (await findProgram('nginx')) ?? (await installNginx())
}

async function installNginx() {
  await installPackages(['nginx'], 'test several coordinators behind a proxy')
  const program = await findProgram('nginx')
  if (!program) throw new Error('The package nginx has no program nginx')
  return program
}
