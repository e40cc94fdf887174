import { createBindWorkspaceProvider } from './bind-workspace.js'
import { workspaceLayout } from './layout.js'
import { QuietHomes } from './quiet-homes.js'
import { openVolumeWorkspace } from './volume-workspace.js'
import type { Workspace, WorkspaceProvider, WorkspaceRequest } from './workspace.js'

/**
 * Opens workspaces of both kinds below `root`: directories that the container mounts, or a volume if the request
 * has `files` to access it. A job sees no difference.
 */
export function createWorkspaceProvider(settings: { root: string }): WorkspaceProvider {
  const { root } = settings
  const homes = new QuietHomes()
  const mounted = createBindWorkspaceProvider(settings, homes)
  const open = async (request: WorkspaceRequest, isNew: boolean): Promise<Workspace> => {
    if (request.files) return await openVolumeWorkspace(root, request, request.files, homes, isNew)
    return isNew ? await mounted.open(request) : await mounted.reopen(request)
  }
  return {
    locate: (request) => workspaceLayout(root, request),
    open: (request) => open(request, true),
    reopen: (request) => open(request, false),
  }
}
