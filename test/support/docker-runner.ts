import { join } from 'node:path'

import { createLogger } from '../../src/lib/logger.js'
import type { RunnerSettings } from '../../src/runner/config/settings.js'
import { startRunner } from '../../src/runner/runner.js'
import { busyboxImage } from './docker-image.js'
import { onFinished } from './lifetime.js'
import { runnerRegistration } from './running-runner.js'
import { tempDir } from './temp-dir.js'

/** Starts a runner that runs its jobs in containers without a network; stopped when the test is over. */
export async function startDockerRunner(
  url: string,
  token: string,
  changes: Partial<RunnerSettings> = {},
): Promise<void> {
  const entry = runnerRegistration(url, {
    token,
    limit: 2,
    docker: { image: await busyboxImage(), pullPolicy: ['if-not-present'], networkMode: 'none' },
  })
  const runner = await startRunner(
    {
      concurrent: 2,
      checkIntervalSeconds: 0.1,
      shutdownTimeoutSeconds: 30,
      logLevel: 'info',
      dataDir: join(await tempDir(), 'runner'),
      systemId: 's_0123456789ab',
      blockMetadataAddresses: false,
      runners: [entry],
      ...changes,
    },
    createLogger('runner', 'silent'),
  )
  onFinished(() => runner.stopNow('end of the test'))
}
