import { join } from 'node:path'

import { expect, test } from 'vitest'

import { connectDatabase } from '../../../src/coordinator/database/connect.js'
import { turnOffTwoFactor } from '../../../src/coordinator/start/turn-off-two-factor.js'
import { copyMigratedStore } from '../../support/databases.js'
import { onFinished } from '../../support/lifetime.js'
import { tempDir } from '../../support/temp-dir.js'
import { addPerson } from '../support/test-app.js'

test('an operator turns the second factor of a user off, which is in the audit trail', async () => {
  const folder = await tempDir()
  await copyMigratedStore(folder)
  const settings = { dialect: 'sqlite', file: join(folder, 'switchyard.db') } as const
  const database = connectDatabase(settings)
  onFinished(() => database.destroy())
  const { id } = await addPerson(database, 'mary')
  const factor = { user_id: id, secret_encrypted: 'x', confirmed_at: 1, last_used_step: null, created_at: 1 }
  await database.insertInto('totp_factor').values(factor).execute()
  await turnOffTwoFactor({ database: settings }, 'Mary')
  expect(await database.selectFrom('totp_factor').selectAll().execute()).toEqual([])
  const { details } = await database.selectFrom('audit_event').select('details').executeTakeFirstOrThrow()
  expect(details).toMatchObject({ custom_message: 'Turned two-factor authentication off on the server' })
  await expect(turnOffTwoFactor({ database: settings }, 'mary')).rejects.toThrow(
    'is not enabled for this user',
  )
  await expect(turnOffTwoFactor({ database: settings }, 'nobody')).rejects.toThrow('404 User Not Found')
})
