import { Readable } from 'node:stream'

import { expect, test } from 'vitest'

import { addSecureFile } from '../../../src/coordinator/ci/secure-files/secure-files.js'
import { openAttackScene, takeNext } from './scene.js'

test('where secure files are for protected refs, jobs of other refs and developers do not read them', async () => {
  const scene = await openAttackScene()
  const { coordinator, people, call } = scene
  const { database, blobs, engine, project } = coordinator
  const file = { name: 'key', file: { open: () => Readable.from([Buffer.from('private')]) } }
  const { id } = await addSecureFile({ database, blobs, secrets: engine.secrets }, project, file)
  const paths = ['/secure_files', `/secure_files/${id}`, `/secure_files/${id}/download`]
  const tokenOfJobOn = async (ref: string): Promise<string> => {
    await scene.push(people.maintainer, ref, 'job: { script: x }')
    return (await takeNext(scene))!.token
  }
  const tokens = { mine: await tokenOfJobOn('mine'), main: await tokenOfJobOn('main') }
  const statusesWith = (token: string) =>
    Promise.all(
      paths.map(async (path) => {
        const url = `${coordinator.url}/projects/${project.id}${path}`
        const response = await fetch(url, { headers: { 'job-token': token } })
        await response.arrayBuffer()
        return response.status
      }),
    )
  const statusesOf = (name: 'developer' | 'maintainer') =>
    Promise.all(paths.map(async (path) => (await call(people[name], `GET ${path}`)).statusCode))

  expect(await statusesWith(tokens.mine)).toEqual([200, 200, 200])
  expect(await statusesOf('developer')).toEqual([200, 200, 200])
  await database.updateTable('project').set({ secure_files_protected_refs_only: true }).execute()
  expect(await statusesWith(tokens.mine)).toEqual([403, 403, 403])
  expect(await statusesOf('developer')).toEqual([403, 403, 403])
  expect(await statusesWith(tokens.main)).toEqual([200, 200, 200])
  expect(await statusesOf('maintainer')).toEqual([200, 200, 200])
})
