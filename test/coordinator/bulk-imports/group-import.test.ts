import { expect, test } from 'vitest'

import { openDestination, totalsOf } from './support/import-scene.js'
import { openSource } from './support/source-coordinator.js'

test('a group of another coordinator is imported with its subgroups and projects', async () => {
  const source = await openSource()
  const { imported, ok, person } = await openDestination()
  const jane = await person('jane')
  const report = await imported(source.url, source.token)
  console.log(JSON.stringify(report, null, 1))
  expect(totalsOf(report)).toEqual({})
  console.log(JSON.stringify(await ok('GET /projects/copy%2Fweb%2Fshop/issues'), null, 1))
  console.log(JSON.stringify(await ok('GET /projects/copy%2Fweb%2Fshop/merge_requests'), null, 1))
})
