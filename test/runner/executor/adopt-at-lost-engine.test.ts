import { join } from 'node:path'

import { expect, test } from 'vitest'

import { createLogger } from '../../../src/lib/logger.js'
import { createDockerExecutor } from '../../../src/runner/executor/docker/docker-executor.js'
import { executorJob } from '../../support/executor-job.js'
import { tempDir } from '../../support/temp-dir.js'
import { RecordedLog } from './docker-jobs.js'

const RECORD = {
  imageId: 'sha256:1',
  imageName: 'alpine',
  printed: 0,
  startedBefore: '',
  services: {
    connection: { networkMode: 'none', hasNames: false, hostEntries: [], environment: {} },
    containers: [],
    networkId: null,
    isShown: false,
  },
}

test('a job is not adopted at an engine that does not respond, as soon as its signal aborts', async () => {
  const host = `unix://${join(await tempDir(), 'engine.sock')}`
  const settings = {
    image: 'alpine',
    runnerShortToken: 'aB_c',
    systemId: 's_1',
    host,
    engineAwaySeconds: 3600,
  }
  const executor = createDockerExecutor(settings, createLogger('test', 'silent'))
  const stop = new AbortController()
  const adopting = executor.adopt(executorJob(), RECORD, new RecordedLog(), stop.signal)
  stop.abort(new Error('the machine is gone'))
  await expect(adopting).rejects.toThrow('the machine is gone')
})
