import { existsSync } from 'node:fs'
import { type Duplex, duplexPair } from 'node:stream'

import { pino } from 'pino'
import { expect, test } from 'vitest'

import { ExecutorError } from '../../../src/runner/executor/executor.js'
import { HelperClient } from '../../../src/runner/helper/client/helper-client.js'
import { serveHelper } from '../../../src/runner/helper/server/serve-helper.js'
import { createPlaces, openHelper, openRemoteWorkspace } from './helped-job.js'

test('the workspace is closed before its helper ends, by whichever of the two is closed first', async () => {
  const places = await createPlaces()
  const { client } = openHelper(places)
  const workspace = await openRemoteWorkspace(client, places)
  await workspace.writeTemporaryFile('VARIABLE', 'secret')
  await Promise.all([client.close(), workspace.close()])
  expect(existsSync(`${workspace.temporaryDir}/VARIABLE`)).toBe(false)
})

test('the workspace says why it could not be closed, also after its helper', async () => {
  const places = await createPlaces()
  const gone = new ExecutorError('The pod was evicted', 'runner_system_failure')
  const connections: Duplex[] = []
  const client = new HelperClient({
    places,
    areBuildsKept: true,
    firstDelay: 1,
    connect: async () => {
      if (connections.length > 0) throw gone
      const [ours, theirs] = duplexPair()
      connections.push(ours)
      void serveHelper(theirs, { places, logger: pino({ level: 'silent' }) })
      return ours
    },
  })
  const workspace = await openRemoteWorkspace(client, places)
  connections[0]?.destroy()
  await client.close()
  await expect(workspace.close()).rejects.toBe(gone)
})
