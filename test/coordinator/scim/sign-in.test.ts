import { expect, test } from 'vitest'

import { openForFile } from '../../support/lifetime.js'
import { MARY, openProviderScene, startServer } from '../sessions/providers/scene.js'
import { clientOf } from './scene.js'

const server = openForFile(startServer)

const GROUPS = new Map([
  ['By claim', [{ path: 'claimed', accessLevel: 30 }]],
  ['By SCIM', [{ path: 'pushed', accessLevel: 30 }]],
])

test('a user whom SCIM has created signs in to that account; SCIM groups then decide, not the claim', async () => {
  const scene = await openProviderScene({ server: server(), rules: { groups: GROUPS } })
  const { app, root, database } = scene
  for (const path of ['claimed', 'pushed']) await scene.call(root, 'POST /groups', { name: path, path })
  const { token } = (await scene.call(root, 'POST /scim_tokens/corp')).json<{ token: string }>()
  const corp = clientOf(app, token)
  const user = { userName: 'mary@corp.example', externalId: MARY.sub, displayName: 'Mary of Corp' }
  const { id } = (await corp.send('POST /Users', user)).json<{ id: string }>()
  server().user = { ...MARY, groups: ['By claim'] }
  const browser = scene.visitor()
  await scene.signIn(browser)
  expect(await browser.name()).toBe('mary2')
  expect(await paths()).toEqual(['claimed'])
  await corp.send('POST /Groups', { displayName: 'By SCIM', members: [{ value: id }] })
  expect(await paths()).toEqual(['pushed'])
  await scene.signIn(scene.visitor())
  expect(await paths()).toEqual(['pushed'])
  await corp.patch(`/Users/${id}`, { op: 'replace', path: 'active', value: false })
  expect(await browser.name()).toBe(401)
  expect((await scene.signIn(scene.visitor())).statusCode).toBe(403)

  async function paths(): Promise<string[]> {
    const rows = await database
      .selectFrom('member')
      .innerJoin('namespace', 'namespace.id', 'member.group_id')
      .select('namespace.full_path')
      .where('member.user_id', '=', Number(id))
      .execute()
    return rows.map(({ full_path }) => full_path)
  }
})
