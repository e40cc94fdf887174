import { expect, test } from 'vitest'

import { describeOnDatabase } from '../../../support/databases.js'
import { openMergeScene } from './git-scene.js'

describeOnDatabase('Viewed files', (open) => {
  test('are kept for each person and merge request, and follow what the person marks', async () => {
    const { commit, make, ok, call, person, services, P } = await openMergeScene(open)
    await commit({ 'c.txt': 'c\n' }, { branch: 'topic', from: 'main' })
    await make('topic')
    const path = `${P}/merge_requests/1/viewed_files`
    const mark = async (digests: string[], viewed: boolean) =>
      (await call(`PUT ${path}`, { digests, viewed }))[0]
    expect(await mark(['one', 'two', 'one'], true)).toBe(204)
    expect(await mark(['two', 'three'], true)).toBe(204)
    expect(await ok(`GET ${path}`)).toEqual({
      digests: expect.arrayContaining(['one', 'two', 'three']) as unknown,
    })
    expect(await mark(['one', 'three', 'unknown'], false)).toBe(204)
    expect(await ok(`GET ${path}`)).toEqual({ digests: ['two'] })
    expect(await ok(`GET ${path}`, undefined, await person('vera'))).toEqual({ digests: [] })
    expect(await mark(['not a digest'], true)).toBe(400)
    expect(
      (await call(`PUT ${P}/merge_requests/9/viewed_files`, { digests: ['one'], viewed: true }))[0],
    ).toBe(404)
    const events = await services.database.selectFrom('audit_event').select('details').execute()
    expect(events.filter(({ details }) => JSON.stringify(details).includes('viewed_files'))).toEqual([])
    expect(JSON.stringify(events)).toContain('/merge_requests')
  })
})
