import { installPackages } from './debian-packages.mjs'
import { findProgram } from './find-program.mjs'

/** Makes the base of the image in the nightly run, where no registry may be within reach. */
export async function ensureDebootstrap() {
  if (await findProgram('debootstrap')) return
  await installPackages(['debootstrap'], 'test the image')
}
