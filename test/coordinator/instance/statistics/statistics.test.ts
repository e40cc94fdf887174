import { expect, test } from 'vitest'

import { statisticsOperations } from '../../../../src/coordinator/instance/statistics/operations.js'
import { describeOnEachDatabase } from '../../../support/databases.js'
import { addPerson } from '../../support/test-app.js'
import { openTestApp, openTestServices } from '../../support/test-coordinator.js'

describeOnEachDatabase('statistics of the instance', (open) => {
  test('are the numbers of its records, as texts', async () => {
    const services = await openTestServices({ open })
    const app = openTestApp(services, { operations: (all) => statisticsOperations(all) })
    const root = await addPerson(services.database, 'root', { admin: true })
    const blocked = await addPerson(services.database, 'blocked')
    await services.database
      .updateTable('user')
      .set({ state: 'blocked' })
      .where('id', '=', blocked.id)
      .execute()
    const response = await app.call(root, 'GET /application/statistics')
    expect([response.statusCode, response.json()]).toEqual([
      200,
      {
        users: '2',
        active_users: '1',
        projects: '0',
        groups: '0',
        forks: '0',
        issues: '0',
        merge_requests: '0',
        notes: '0',
        snippets: '0',
        ssh_keys: '0',
        milestones: '0',
      },
    ])
  })
})
