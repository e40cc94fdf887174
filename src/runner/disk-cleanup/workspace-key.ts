import { basename, dirname, join } from 'node:path'

import type { WorkspaceRequest } from '../workspace/workspace.js'

/**
 * What all workspaces of one project and number of a job share, whichever trust or user they are for: a job that uses
 * one of them keeps the others, too, which costs nothing.
 */
export function workspaceKey(path: string): string {
  const [project = ''] = /^\d*/.exec(basename(path)) ?? []
  return join(dirname(path), project)
}

/** Of the workspace that will be opened for the request below `root`. */
export function requestedKey(
  root: string,
  request: Pick<WorkspaceRequest, 'projectId' | 'concurrentProjectId'>,
): string {
  return join(root, String(request.concurrentProjectId), String(request.projectId))
}
