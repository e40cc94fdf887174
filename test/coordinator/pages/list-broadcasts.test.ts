import { expect, test } from 'vitest'

import { createBroadcastMessage } from '../../../src/coordinator/instance/broadcast-messages/broadcast-messages.js'
import { listBroadcasts } from '../../../src/coordinator/pages/list-broadcasts.js'
import { openSqlite } from '../../support/databases.js'

const DAY = 24 * 3_600_000

const inDays = (days: number) => new Date(Date.now() + days * DAY).toISOString()

test('a page carries the messages that are shown now, as safe inline HTML', async () => {
  const { database } = await openSqlite()
  expect(await listBroadcasts(database)).toEqual([])
  const made = await createBroadcastMessage(database, {
    message: '# Down [now](https://status.example) <img src=x>',
    theme: 'light',
    color: '#123456',
    target_path: '/group/*',
    target_access_levels: [40],
    broadcast_type: 'notification',
  })
  await createBroadcastMessage(database, { message: 'Tomorrow', starts_at: inDays(1) })
  await createBroadcastMessage(database, { message: 'Yesterday', starts_at: inDays(-2), ends_at: inDays(-1) })
  const script = '[x](javascript:alert(1))'
  await createBroadcastMessage(database, { message: script })
  const link = '<a href="https://status.example" rel="nofollow noreferrer noopener">now</a>'
  expect(await listBroadcasts(database)).toEqual([
    expect.objectContaining({ html: script, kind: 'banner', is_closable: false, path: '', levels: [] }),
    {
      key: `${made.id}-${made.updated_at}`,
      html: `# Down ${link} &lt;img src=x&gt;`,
      kind: 'notification',
      background: '#123456',
      color: '#2b2b30',
      path: '/group/*',
      levels: [40],
      is_closable: true,
    },
  ])
})
