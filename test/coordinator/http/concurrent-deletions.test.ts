import { expect, test } from 'vitest'

import { insertGroup } from '../../../src/coordinator/accounts/groups/store.js'
import { inTransaction } from '../../../src/coordinator/database/transaction.js'
import { NoBody, operation, respond } from '../../../src/coordinator/http/operation.js'
import { openSqlite } from '../../support/databases.js'
import { addPerson, openApp } from '../support/test-app.js'

/** Operations that fail after a given step, with the owner of a project and a group. */
async function open(beforeItFails: (place: { group: number }) => Promise<void> = async () => undefined) {
  const { database } = await openSqlite()
  const at = { name: 'g', path: 'g', full_path: 'g', visibility: 'private', created_at: 0 } as const
  const root = await addPerson(database, 'root', { admin: true })
  const group = await inTransaction(database, (tx) => insertGroup(tx, { ...at, kind: 'group' }, root.id))
  const fail = async (): Promise<never> => {
    await beforeItFails({ group: group.id })
    throw new Error('There is no such file')
  }
  const failing = { summary: 'Fails', responses: { 204: NoBody } }
  const app = openApp(database, [
    operation('POST /groups/:id/work', { ...failing, access: 'admin_group', run: fail }),
    operation('POST /groups/:id/end', {
      ...failing,
      access: 'admin_group',
      run: async ({ group: { id } }) => {
        await database.deleteFrom('namespace').where('id', '=', id).execute()
        return respond(204)
      },
    }),
  ])
  return { app, root, group: group.id }
}

test('a request whose group is deleted concurrently gets 404 for the group', async () => {
  const { app, root, group } = await open(async ({ group: id }) => {
    await app.call(root, `POST /groups/${id}/end`)
  })
  const response = await app.call(root, `POST /groups/${group}/work`)
  expect([response.statusCode, response.json()]).toEqual([404, { message: '404 Group Not Found' }])
})

test('an error while the group still exists is an internal error', async () => {
  const { app, root, group } = await open()
  expect((await app.call(root, `POST /groups/${group}/work`)).statusCode).toBe(500)
})
