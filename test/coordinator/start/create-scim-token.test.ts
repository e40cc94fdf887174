import { join } from 'node:path'

import { expect, test } from 'vitest'

import { connectDatabase } from '../../../src/coordinator/database/connect.js'
import { findProviderOfToken } from '../../../src/coordinator/scim/tokens/store.js'
import { createTokenOfProvider } from '../../../src/coordinator/start/create-scim-token.js'
import { copyMigratedStore } from '../../support/databases.js'
import { onFinished } from '../../support/lifetime.js'
import { tempDir } from '../../support/temp-dir.js'
import { corp } from '../sessions/providers/settings.js'

test('an operator creates the SCIM token of a provider on the server, which is in the audit trail', async () => {
  const folder = await tempDir()
  await copyMigratedStore(folder)
  const file = { dialect: 'sqlite', file: join(folder, 'switchyard.db') } as const
  const database = connectDatabase(file)
  onFinished(() => database.destroy())
  const settings = { database: file, signIn: { isAutomatic: false, providers: [corp('http://127.0.0.1:9')] } }
  const token = await createTokenOfProvider(settings, 'corp')
  expect(await findProviderOfToken(database, token)).toBe('corp')
  const { details } = await database.selectFrom('audit_event').select('details').executeTakeFirstOrThrow()
  expect(details).toMatchObject({ custom_message: 'Created the SCIM token of corp on the server' })
  await expect(createTokenOfProvider(settings, 'none')).rejects.toThrow(
    'sign_in.providers.none: is not in the settings; there are corp',
  )
})
