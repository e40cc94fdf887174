import type { Workspace, WorkspaceProvider, WorkspaceRequest } from '../workspace/workspace.js'
import type { Claims } from './claims.js'
import type { LruIndex } from './lru-index.js'
import { requestedKey } from './workspace-key.js'

/**
 * Wraps a provider so that its workspaces below `root` are claimed from before they are opened until they are
 * closed.
 */
export function guardWorkspaces(
  provider: WorkspaceProvider,
  root: string,
  { claims, index }: { claims: Claims; index: LruIndex },
): WorkspaceProvider {
  const guarded = async (request: WorkspaceRequest, open: () => Promise<Workspace>) => {
    const key = requestedKey(root, request)
    const release = await claims.use(key)
    index.used('workspaces', key)
    try {
      const workspace = await open()
      const close = workspace.close.bind(workspace)
      workspace.close = async () => {
        await close()
        index.used('workspaces', key)
        release()
      }
      return workspace
    } catch (error) {
      release()
      throw error
    }
  }
  return {
    locate: (request) => provider.locate(request),
    open: (request) => guarded(request, () => provider.open(request)),
    reopen: (request) => guarded(request, () => provider.reopen(request)),
  }
}
