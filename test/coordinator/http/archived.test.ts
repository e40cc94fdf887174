import { expect, test } from 'vitest'

import { isChange } from '../../../src/coordinator/access/access.js'
import { respond } from '../../../src/coordinator/http/operation.js'
import { openSqlite } from '../../support/databases.js'
import { declaredOperations } from '../support/declared-operations.js'
import { insertProject } from '../support/insert-project.js'
import { addPerson, openApp } from '../support/test-app.js'

/** What may be done in an archived project although it changes something; everything else is refused (API, C2). */
const GOES_ON = [
  // The project as a whole.
  'DELETE /projects/:id',
  'POST /projects/:id/restore',
  'POST /projects/:id/archive',
  'POST /projects/:id/unarchive',
  'PUT /projects/:id/transfer',
  'POST /projects/:id/housekeeping',
  'POST /projects/:id/fork',
  'POST /projects/:id/star',
  'POST /projects/:id/unstar',
  // What somebody wants mails about.
  'PUT /projects/:id/notification_settings',
  // An administrator's notes about it.
  'PUT /projects/:id/custom_attributes/:key',
  'DELETE /projects/:id/custom_attributes/:key',
  // Requests that an archived project refuses.
  'DELETE /projects/:id/members/:user_id',
  'DELETE /projects/:id/access_requests/:user_id',
  'DELETE /projects/:id/invitations/:email',
  'DELETE /projects/:id/share/:group_id',
  'DELETE /projects/:id/access_tokens/:token_id',
  'DELETE /projects/:id/deploy_keys/:key_id',
  'DELETE /projects/:id/deploy_tokens/:token_id',
  'DELETE /projects/:id/job_token_scope/allowlist/:target_project_id',
  'DELETE /projects/:id/job_token_scope/groups_allowlist/:target_group_id',
  // By tokens of their own; starting a pipeline is refused where pipelines are made.
  'POST /projects/:id/trigger/pipeline',
  'POST /projects/:id/integrations/:slug/trigger',
  'POST /projects/:id/services/:slug/trigger',
  'POST /projects/:id/ref/:ref/trigger/pipeline',
]

/** Those of them that a project marked for deletion also refuses until it is restored. */
const NOT_WHEN_MARKED = [
  'POST /projects/:id/archive',
  'POST /projects/:id/unarchive',
  'PUT /projects/:id/transfer',
  'POST /projects/:id/housekeeping',
]

test.each([
  ['is archived', { archived: true }, GOES_ON],
  [
    'is marked for deletion',
    { marked_for_deletion_at: 1 },
    GOES_ON.filter((route) => !NOT_WHEN_MARKED.includes(route)),
  ],
])(
  'a project that %s is read only: changes are refused with 403, even to an administrator',
  async (_, state, goesOn) => {
    const { database } = await openSqlite()
    const operations = (await declaredOperations()).filter(({ path }) => path.startsWith('/projects/:id'))
    const app = openApp(
      database,
      operations.map(({ params: _, changes: _changes, ...declared }) => ({
        ...declared,
        run: async () => respond(204),
      })),
      { checkResponses: false },
    )
    const root = await addPerson(database, 'root', { admin: true })
    const { id } = await insertProject(database, {
      full_path: 'root/old',
      ...state,
      namespace_id: 1,
      creator_id: root.id,
    })

    const outcomes = new Map<string, number>()
    for (const { method, path } of operations) {
      const address = path.replace('/:id', `/${id}`).replace(/[:*]\w+/g, '1')
      outcomes.set(`${method} ${path}`, (await app.call(root, `${method} ${address}`)).statusCode)
    }

    const expected = operations.map((operation) => {
      const route = `${operation.method} ${operation.path}`
      return [route, !isChange(operation) || goesOn.includes(route) ? 204 : 403] as const
    })
    expect([...outcomes]).toEqual(expected)
    expect(GOES_ON.filter((route) => !outcomes.has(route))).toEqual([])
  },
)
