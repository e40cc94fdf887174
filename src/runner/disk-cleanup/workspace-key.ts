import { basename, dirname, join } from 'node:path'

import type { WorkspaceRequest } from '../workspace/workspace.js'

/**
 * The key that all workspaces of one project and concurrency number share, for any trust and user. A job that uses
 * one of them also protects the others, which costs nothing.
 */
export function workspaceKey(path: string): string {
  const [project = ''] = /^\d*/.exec(basename(path)) ?? []
  return join(dirname(path), project)
}

/** The key of the workspace that will be opened for the request below `root`. */
export function requestedKey(
  root: string,
  request: Pick<WorkspaceRequest, 'projectId' | 'concurrentProjectId'>,
): string {
  return join(root, String(request.concurrentProjectId), String(request.projectId))
}
