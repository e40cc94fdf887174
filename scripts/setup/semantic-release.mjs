import { copyFile, mkdir } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'

import { run } from './run.mjs'

const MANIFESTS = 'test/conformance/semantic-release'
const FOLDER = resolve('.switchyard/semantic-release')

/**
 * Installs semantic-release beside the packages of this one, of which it is none, and returns the path of its program.
 */
export async function ensureSemanticRelease() {
  await mkdir(FOLDER, { recursive: true })
  for (const name of ['package.json', 'package-lock.json']) {
    await copyFile(join(MANIFESTS, name), join(FOLDER, name))
  }
  await run('npm', [
    'ci',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
    '--prefix',
    FOLDER,
  ])
  const { resolve: find } = createRequire(join(FOLDER, 'package.json'))
  return join(dirname(find('semantic-release/package.json')), 'bin', 'semantic-release.js')
}
