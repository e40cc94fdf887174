import { join } from 'node:path'

import type { Logger } from '../../lib/logger.js'
import { shortToken } from '../client/runner-info.js'
import type { RunnerRegistration, RunnerSettings } from '../config/settings.js'
import { isEngineLocal } from '../executor/docker/connect-engine.js'
import { createDockerExecutor } from '../executor/docker/docker-executor.js'
import type { DockerExecutorSettings } from '../executor/docker/settings.js'
import { workspaceLayout } from '../workspace/layout.js'
import type { WorkspaceProvider } from '../workspace/workspace.js'
import type { RuntimeFactory } from './runtime-factory.js'

/**
 * Runs jobs in containers. Their files are in folders of this machine, or in volumes if the engine does not see the
 * folders.
 */
export const DOCKER_RUNTIME: RuntimeFactory = {
  executor: (registration, settings, logger, usage) =>
    createDockerExecutor(executorSettings(registration, settings), logger, usage),
  openDiskCleanup: async (settings, logger) =>
    (await import('../disk-cleanup/open-disk-cleanup.js')).openDiskCleanup(settings, logger),
  prepareHost: prepareDockerHost,
  workspaces: (root) =>
    lateWorkspaces(
      (request) => workspaceLayout(root, request),
      async () => {
        const { createWorkspaceProvider } = await import('../workspace/workspace-provider.js')
        return createWorkspaceProvider({ root })
      },
    ),
}

/** The settings of the executor for the jobs of a registration. */
export function executorSettings(
  registration: RunnerRegistration,
  { systemId, dataDir }: Pick<RunnerSettings, 'systemId' | 'dataDir'>,
): DockerExecutorSettings {
  return {
    ...registration.docker,
    runnerShortToken: shortToken(registration.token),
    systemId,
    outputLimitBytes: registration.outputLimitBytes,
    authConfig: registration.environment.findLast(({ key }) => key === 'DOCKER_AUTH_CONFIG')?.value,
    privateImagesDir: join(dataDir, 'private-images'),
    workspace: registration.workspace ?? 'auto',
    scriptOutput: registration.scriptOutput ?? 'auto',
    sharedDir: dataDir,
  }
}

/** Runs once per machine, because registrations may share its engine. */
async function prepareDockerHost(settings: RunnerSettings, logger: Logger): Promise<void> {
  if (!settings.blockMetadataAddresses) return
  const { blockMetadataAddresses } = await import('../executor/docker/network/block-metadata.js')
  // Registrations that are added later are likely to use the engine of this machine.
  const engines = settings.runners.length > 0 ? settings.runners.map(({ docker }) => docker) : [{}]
  const isLocal = engines.some((engine) => isEngineLocal(engine))
  const isRoot = process.getuid?.() === 0
  await blockMetadataAddresses({ platform: process.platform, isRoot, isEngineLocal: isLocal }, logger)
}

/** The git and archive modules are loaded with the first job, to save memory in idle runners. */
function lateWorkspaces(
  locate: WorkspaceProvider['locate'],
  load: () => Promise<WorkspaceProvider>,
): WorkspaceProvider {
  let provider: Promise<WorkspaceProvider> | undefined
  const loaded = () => (provider ??= load())
  return {
    locate,
    open: async (request) => (await loaded()).open(request),
    reopen: async (request) => (await loaded()).reopen(request),
  }
}
