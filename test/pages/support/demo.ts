import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

import { loadScene, type Scene } from '../../../scripts/demo/scene.mjs'
import { startDemo } from '../../../scripts/demo/start-demo.mjs'
import { openSessionOf, type Person } from '../../conformance/support/service.js'
import { onFinished } from '../../support/lifetime.js'
import { tempDir } from '../../support/temp-dir.js'
import type { Host } from './browser.js'

/** The demo, with the token of its administrator. */
export interface RunningDemo extends Host {
  scene: Scene
  /** Reads a list or a record of the API as the administrator. */
  read<T>(path: string): Promise<T>
  /** Sends a POST request as the administrator. */
  post<T>(path: string, body?: object): Promise<T>
}

/**
 * Starts the demo until the tests of the file are over. `folder`: the data folder of an earlier demo; without one, a small
 * demo is made, or a full one if `isFull`.
 */
export async function openDemo({
  isFull,
  folder,
}: {
  isFull: boolean
  folder?: string | undefined
}): Promise<RunningDemo> {
  const dataDir = folder ?? (await tempDir())
  const stopping = new AbortController()
  const demo = await startDemo({
    folder: dataDir,
    port: 0,
    size: isFull ? 'full' : 'small',
    report: () => undefined,
    signal: stopping.signal,
  })
  onFinished(async () => {
    stopping.abort()
    await demo.ended
  })
  const saved = await loadScene(dataDir)
  if (!saved) throw new Error('The demo has saved no scene')
  const store = (await readdir(dataDir)).find((name) => name.endsWith('.db'))
  if (store === undefined) throw new Error('The demo has no store')
  const { scene, tokens } = saved
  const call = async (path: string, init: RequestInit = {}): Promise<unknown> => {
    const headers = { 'private-token': tokens.adminToken, 'content-type': 'application/json' }
    const response = await fetch(`${demo.url}/api/v4${path}`, { ...init, headers })
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
    return response.json()
  }
  return {
    url: demo.url,
    scene,
    openSession: (person: Pick<Person, 'id'>) =>
      openSessionOf({ dialect: 'sqlite', file: join(dataDir, store) }, person),
    read: async <T>(path: string) => (await call(path)) as T,
    post: async <T>(path: string, body: object = {}) =>
      (await call(path, { method: 'POST', body: JSON.stringify(body) })) as T,
  }
}
