import { createDockerExecutor } from './executor/docker/docker-executor.js'
import type { RunnerParts } from './registered-runner.js'
import { shortToken } from './short-token.js'
import { workspaceLayout } from './workspace/layout.js'
import type { WorkspaceProvider } from './workspace/workspace.js'

/** Jobs in containers, their files in folders of this machine. */
export const DOCKER_PARTS: RunnerParts = {
  executor: (entry, settings, logger) =>
    createDockerExecutor(
      { ...entry.docker, runnerShortToken: shortToken(entry.token), systemId: settings.systemId },
      logger,
    ),
  workspaces: (root) =>
    lateWorkspaces(
      (request) => workspaceLayout(root, request),
      async () => {
        const { createBindWorkspaceProvider } = await import('./workspace/bind-workspace.js')
        return createBindWorkspaceProvider({ root })
      },
    ),
}

/** Git and the archives are loaded with the first job: a runner that only waits does without the memory. */
function lateWorkspaces(
  place: WorkspaceProvider['place'],
  load: () => Promise<WorkspaceProvider>,
): WorkspaceProvider {
  let provider: Promise<WorkspaceProvider> | undefined
  const loaded = () => (provider ??= load())
  return {
    place,
    open: async (request) => (await loaded()).open(request),
    reopen: async (request) => (await loaded()).reopen(request),
  }
}
