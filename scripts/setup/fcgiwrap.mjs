import { installPackages } from './debian-packages.mjs'
import { findProgram } from './find-program.mjs'

/** Runs git's own HTTP service behind nginx, for the benchmark of git. */
export async function ensureFcgiwrap() {
  return (await findProgram('fcgiwrap')) ?? (await installFcgiwrap())
}

async function installFcgiwrap() {
  await installPackages(['fcgiwrap'], 'serve repositories with git http-backend behind nginx')
  const program = await findProgram('fcgiwrap')
  if (!program) throw new Error('The package fcgiwrap has no program fcgiwrap')
  return program
}
