import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { signInLines } from '../../../src/cli/commands/up/sign-in-link.js'
import { openSignInScene } from '../../coordinator/sessions/scene.js'
import { tempDir } from '../../support/temp-dir.js'

/** The addresses in the lines. */
const addressesIn = (lines: string[]) => lines.flatMap((line) => /^ {2}(http\S+)$/.exec(line)?.[1] ?? [])

async function open() {
  const scene = await openSignInScene()
  const url = await scene.app.listen({ host: '127.0.0.1', port: 0 })
  const dataDir = await tempDir()
  await writeFile(join(dataDir, 'admin-token'), `${scene.root.token}\n`)
  return Object.assign(scene, { url, dataDir })
}

test('the last lines have a link that signs in as the administrator', async () => {
  const scene = await open()
  const [link = ''] = addressesIn(await signInLines(scene))
  const { pathname } = new URL(link)
  const visitor = scene.visitor()
  await visitor.get(pathname)
  const response = await visitor.submit(pathname)
  expect([response.statusCode, response.headers.location]).toEqual([303, '/'])
  expect(await visitor.name()).toBe('root')
})

test('without a valid token, they have the address of the sign-in page', async () => {
  const { database, url, dataDir } = await open()
  await database.updateTable('personal_access_token').set({ revoked: true }).execute()
  const page = [`${url}/users/sign_in`]
  expect(addressesIn(await signInLines({ url, dataDir }))).toEqual(page)
  expect(addressesIn(await signInLines({ url, dataDir: await tempDir() }))).toEqual(page)
})
