import type { Logger } from '../../lib/logger.js'
import { enginesOf } from '../config/engines-of.js'
import type { RunnerSettings } from '../config/settings.js'
import { isEngineLocal } from '../executor/docker/connect-engine.js'
import { workspaceLayout } from '../workspace/layout.js'
import type { WorkspaceProvider } from '../workspace/workspace.js'
import { EXECUTOR_FACTORIES } from './executor-factories.js'
import type { RuntimeFactory } from './runtime-factory.js'

/**
 * Runs jobs with the executor that their registration names. Files of jobs are in folders of this machine, unless the
 * executor does not share them.
 */
export const DEFAULT_RUNTIME: RuntimeFactory = {
  executor: (registration, ...others) =>
    EXECUTOR_FACTORIES[registration.executor ?? 'docker'](registration, ...others),
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

/** Runs once per machine, because registrations may share its engine. */
async function prepareDockerHost(settings: RunnerSettings, logger: Logger): Promise<void> {
  if (!settings.blockMetadataAddresses) return
  // Registrations that are added later are likely to use the engine of this machine.
  const engines = settings.runners.length > 0 ? settings.runners.flatMap(enginesOf) : [{}]
  if (engines.length === 0) return
  const { blockMetadataAddresses } = await import('../executor/docker/network/block-metadata.js')
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
