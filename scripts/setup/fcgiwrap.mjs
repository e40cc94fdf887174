import { ensureProgram } from './ensure-program.mjs'

/** Runs git's own HTTP service behind nginx, for the benchmark of git. */
export function ensureFcgiwrap() {
  return ensureProgram('fcgiwrap', 'serve repositories with git http-backend behind nginx')
}
