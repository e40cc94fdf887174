import { join } from 'node:path'

import { expect, onTestFinished, test } from 'vitest'

import { createLogger } from '../../../../src/lib/logger.js'
import type { RunnerSettings } from '../../../../src/runner/config/settings.js'
import type { AutoscalerSettings } from '../../../../src/runner/executor/docker/autoscaler/model/settings.js'
import { NO_POLICY } from '../../../../src/runner/executor/docker/autoscaler/policy/active-policy.js'
import { startRunner } from '../../../../src/runner/runner.js'
import { busyboxImage } from '../../../support/docker-image.js'
import { jobPayload } from '../../../support/job-payload.js'
import { MACHINE_ENGINE } from '../../../support/machine-engine.js'
import { MisbehavingCoordinator } from '../../../support/misbehaving-coordinator.js'
import { runnerRegistration } from '../../../support/running-runner.js'
import { tempDir } from '../../../support/temp-dir.js'
import { machineCommands } from './support/machine-commands.js'

test('machines are created for jobs that wait, run one job each, and are deleted', async () => {
  const commands = await machineCommands(MACHINE_ENGINE)
  const coordinator = await MisbehavingCoordinator.start()
  onTestFinished(() => coordinator.stop())
  const runner = await startRunner(
    await settingsFor(coordinator, {
      ...AUTOSCALER,
      plugin: commands.settings,
      maxUseCount: 1,
      maxInstances: 1,
    }),
    createLogger('runner', 'silent'),
  )
  onTestFinished(() => runner.stopNow('end of the test'))
  const ids = [1, 2]
  coordinator.offer(...ids.map((id) => job(id)))
  await coordinator.until(() => ids.every((id) => coordinator.finalUpdate(id) !== undefined))
  expect(ids.map((id) => coordinator.finalUpdate(id)?.state)).toEqual(['success', 'success'])
  await expect.poll(() => commands.machines()).toEqual([])
  const calls = await commands.calls()
  const created = calls.filter((call) => call.startsWith('create')).map((call) => call.split(' ')[1])
  expect(new Set(created).size).toBe(2)
  // Each job ran on a machine of its own, whose name is in the log of the job.
  const used = ids.map((id) => /Using the host ([\w-]+)/.exec(coordinator.trace(id))?.[1])
  expect(used.toSorted()).toEqual(created.toSorted())
})

const AUTOSCALER: Omit<AutoscalerSettings, 'plugin'> = {
  pool: 'ci',
  capacityPerInstance: 1,
  maxUseCount: Infinity,
  maxInstances: 5,
  maxCreatePerMinute: Infinity,
  instanceReadyCommand: 'test -n "$INSTANCE_NAME"',
  instanceReadyTimeout: 30_000,
  failureThreshold: 3,
  updateInterval: 1000,
  updateIntervalWhenExpecting: 50,
  deleteInstancesOnShutdown: false,
  policies: [{ ...NO_POLICY, periods: ['* * * * *'] }],
}

async function settingsFor(
  { url }: MisbehavingCoordinator,
  autoscaler: AutoscalerSettings,
): Promise<RunnerSettings> {
  const image = await busyboxImage()
  return {
    concurrent: 4,
    checkIntervalSeconds: 0.05,
    shutdownTimeoutSeconds: 30,
    logLevel: 'info',
    dataDir: join(await tempDir(), 'data'),
    systemId: 's_autoscaled01',
    blockMetadataAddresses: false,
    runners: [
      runnerRegistration(url, {
        executor: 'docker-autoscaler',
        docker: { image, pullPolicy: ['if-not-present'] },
        autoscaler,
      }),
    ],
  }
}

function job(id: number) {
  return jobPayload({
    id,
    token: `token-${id}`,
    variables: [{ key: 'GIT_STRATEGY', value: 'none' }],
  })
}
