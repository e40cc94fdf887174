import { installPackages } from './debian-packages.mjs'
import { findProgram } from './find-program.mjs'

/** OpenStack Swift, whose S3 server the storage tests of the nightly run use. */
export async function ensureSwift() {
  if (await findProgram('swift-proxy-server')) return
  await installPackages(
    ['swift-proxy', 'swift-account', 'swift-container', 'swift-object', 'memcached'],
    'run the storage tests on an S3 server',
  )
}
