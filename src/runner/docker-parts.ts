import { createDockerExecutor } from './executor/docker/docker-executor.js'
import type { RunnerParts } from './registered-runner.js'
import { shortToken } from './short-token.js'
import type { WorkspaceProvider } from './workspace/workspace.js'

/** Jobs in containers, their files in folders of this machine. */
export const DOCKER_PARTS: RunnerParts = {
  executor: (entry, settings, logger) =>
    createDockerExecutor(
      { ...entry.docker, runnerShortToken: shortToken(entry.token), systemId: settings.systemId },
      logger,
    ),
  workspaces: (root) =>
    lateWorkspaces(async () => {
      const { createBindWorkspaceProvider } = await import('./workspace/bind-workspace.js')
      return createBindWorkspaceProvider({ root })
    }),
}

/** Git and the archives are loaded with the first job: a runner that only waits does without the memory. */
function lateWorkspaces(load: () => Promise<WorkspaceProvider>): WorkspaceProvider {
  let provider: Promise<WorkspaceProvider> | undefined
  return { open: async (request) => (await (provider ??= load())).open(request) }
}
