import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { onFinished } from './lifetime.js'

export interface TempDir {
  path: string
  remove(): Promise<void>
}

/** Creates an empty directory that the caller removes, for `beforeAll` hooks. */
export async function makeTempDir(): Promise<TempDir> {
  const path = await mkdtemp(join(tmpdir(), 'switchyard-test-'))
  return { path, remove: () => rm(path, { recursive: true, force: true, maxRetries: 3 }) }
}

/** The path of a new empty directory that is removed when the running test has finished. */
export async function tempDir(): Promise<string> {
  const directory = await makeTempDir()
  onFinished(() => directory.remove())
  return directory.path
}
