import { expect, test } from 'vitest'

import { containsText } from '../../../src/coordinator/database/text.js'
import { describeOnEachDatabase } from '../../support/databases.js'
import { addUser } from '../ci/engine/support/records.js'

describeOnEachDatabase('a search for a text', (open) => {
  test('finds it in any case, and nothing for a text that is longer than the database searches for', async () => {
    const { database } = await open()
    const { id } = await addUser(database)
    await database.updateTable('user').set({ name: 'Fifty % of_it' }).where('id', '=', id).execute()
    const found = (text: string) =>
      database
        .selectFrom('user')
        .select('id')
        .where(({ ref }) => containsText(ref('user.name'), text))
        .execute()
    expect(await found('fifty %')).toEqual([{ id }])
    expect(await found('fiftyX%')).toEqual([])
    expect(await found('€'.repeat(20_000))).toEqual([])
  })
})
