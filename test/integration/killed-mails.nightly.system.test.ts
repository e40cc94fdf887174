import { join } from 'node:path'

import Sqlite from 'better-sqlite3'
import { expect, test } from 'vitest'

import { deferred } from '../../src/lib/deferred.js'
import { onFinished } from '../support/lifetime.js'
import { startMailServer } from '../support/mail-server.js'
import { System } from './support/system.js'

const ISSUES = 12

test('a coordinator that is killed while it sends mails loses none; one that was taken comes again with its ID', async () => {
  const server = await startMailServer()
  // From the second mail on, no response arrives before the coordinator is dead.
  let isDead = false
  const dead = deferred()
  server.onMail(() => (server.mails.length > 1 && !isDead ? dead.promise : undefined))
  const system = await System.start(undefined, {
    SWITCHYARD_MAIL_URL: server.settings.url,
    SWITCHYARD_MAIL_FROM: 'ci@example.com',
  })
  onFinished(() => system.stop())
  const project = await system.createProject()
  const ada = await system.api.json<{ id: number }>('POST', '/users', {
    username: 'ada',
    name: 'Ada',
    email: 'ada@example.com',
    force_random_password: true,
  })
  await system.api.json('POST', `/projects/${project.id}/members`, { user_id: ada.id, access_level: 30 })
  const titles = Array.from({ length: ISSUES }, (_, index) => `issue ${index}`)
  for (const title of titles) {
    await system.api.json('POST', `/projects/${project.id}/issues`, { title, assignee_ids: [ada.id] })
  }
  await expect.poll(() => server.mails.length).toBeGreaterThan(1)
  await system.killCoordinator()
  isDead = true
  dead.resolve()
  // What it had begun to send counts as abandoned after five minutes.
  const store = new Sqlite(join(system.directory, 'coordinator', 'switchyard.db'))
  store.prepare('update mail set due_at = 0').run()
  store.close()
  await system.startCoordinator()
  const subjects = () =>
    new Set(server.mails.map(({ subject }) => subject).filter((text) => text.includes('issue ')))
  await expect.poll(() => subjects().size).toBe(ISSUES)
  for (const subject of subjects()) {
    const ids = server.mails.filter((mail) => mail.subject === subject).map(({ messageId }) => messageId)
    expect(new Set(ids).size, subject).toBe(1)
  }
})
