import { ensureProgram } from './ensure-program.mjs'

/** The proxy of the tests with several coordinators, in the nightly run. */
export function ensureNginx() {
  return ensureProgram('nginx', 'test several coordinators behind a proxy')
}
