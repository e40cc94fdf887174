import { ensureProgram } from './ensure-program.mjs'

/** Makes the base of the image in the nightly run, where no registry may be within reach. */
export async function ensureDebootstrap() {
  await ensureProgram('debootstrap', 'test the image')
}
