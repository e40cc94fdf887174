import { join } from 'node:path'

import { createLogger } from '../../../src/lib/logger.js'
import type { RunnerRegistration, RunnerSettings } from '../../../src/runner/config/settings.js'
import type { HelperPlaces } from '../../../src/runner/executor/helper-places.js'
import { createKubernetesExecutor } from '../../../src/runner/executor/kubernetes/kubernetes-executor.js'
import type { KubernetesSettings } from '../../../src/runner/executor/kubernetes/settings.js'
import { DEFAULT_RUNTIME } from '../../../src/runner/registrations/default-runtime.js'
import { kubernetesSettings } from '../../../src/runner/registrations/executor-factories.js'
import { type Runner, startRunner } from '../../../src/runner/runner.js'
import { onFinished } from '../lifetime.js'
import { MisbehavingCoordinator } from '../misbehaving-coordinator.js'
import { QUICK_TIMINGS } from '../quick-timings.js'
import { runnerRegistration } from '../running-runner.js'
import { tempDir } from '../temp-dir.js'
import { type ApiServer, startApiServer } from './api-server.js'
import { openHelper, podParts, podPlaces } from './pod-parts.js'

export interface PodRunner {
  coordinator: MisbehavingCoordinator
  server: ApiServer
  runner: Runner
  places: HelperPlaces
  /** The only pod. */
  pod: () => { namespace: string; name: string }
  /** Nothing of any job is left in the cluster. */
  isClean: () => boolean
}

/**
 * A runner with a scripted coordinator, whose jobs run in the pods of a small API server; stopped when the test has
 * finished. All pods use the same directories, so that only one job may run.
 */
export async function podRunner(
  changes: { kubernetes?: Partial<KubernetesSettings>; registration?: Partial<RunnerRegistration> } = {},
): Promise<PodRunner> {
  const coordinator = await MisbehavingCoordinator.start()
  onFinished(() => coordinator.stop())
  const server = await startApiServer()
  const places = await podPlaces()
  const parts = await podParts(server, places)
  const kubernetes: KubernetesSettings = {
    image: 'alpine:3',
    namespace: 'ci',
    pollTimeoutSeconds: 30,
    cleanupGracePeriodSeconds: 0,
    ...changes.kubernetes,
  }
  const registration = runnerRegistration(coordinator.url, {
    executor: 'kubernetes',
    docker: undefined,
    kubernetes,
    buildsDir: places.builds,
    cache: { kind: 'local', maximumUploadBytes: 0 },
    ...changes.registration,
  })
  const settings: RunnerSettings = {
    concurrent: 1,
    checkIntervalSeconds: 0.02,
    shutdownTimeoutSeconds: 30,
    logLevel: 'info',
    dataDir: join(await tempDir(), 'data'),
    systemId: 's_0123456789ab',
    blockMetadataAddresses: false,
    runners: [registration],
  }
  const logger = createLogger('runner', 'silent')
  const runner = await startRunner(settings, logger, {
    executor: () =>
      createKubernetesExecutor(kubernetesSettings(registration, settings), logger, openHelper, parts),
    workspaces: DEFAULT_RUNTIME.workspaces,
    timings: QUICK_TIMINGS,
  })
  onFinished(() => runner.stopNow('end of the test'))
  return {
    coordinator,
    server,
    runner,
    places,
    pod: () => {
      const [pod] = server.pods.all()
      if (!pod) throw new Error('There is no pod')
      return pod.metadata
    },
    isClean: () => server.pods.all().length + server.secrets.all().length === 0,
  }
}
