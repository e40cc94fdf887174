import { duplexPair } from 'node:stream'

import { pino } from 'pino'
import { expect, test } from 'vitest'

import { HelperClient } from '../../../src/runner/helper/client/helper-client.js'
import { serveHelper } from '../../../src/runner/helper/server/serve-helper.js'
import { onFinished } from '../../support/lifetime.js'
import { createPlaces } from './helped-job.js'

test('the helper is given the number of cores of its own container', async () => {
  const places = await createPlaces()
  const sent: Buffer[] = []
  const client = new HelperClient({
    places,
    areBuildsKept: false,
    cores: 3,
    connect: async () => {
      const [ours, theirs] = duplexPair()
      theirs.on('data', (chunk: Buffer) => sent.push(chunk))
      void serveHelper(theirs, { places, logger: pino({ level: 'silent' }) })
      return ours
    },
  })
  onFinished(() => client.close())
  const request = { projectId: 1, projectPath: 'group/project', concurrentProjectId: 0, isProtected: false }
  await client.openWorkspace({ ...request, buildsDir: places.builds }, true)
  expect(Buffer.concat(sent).toString('latin1')).toContain('"cores":3')
})
