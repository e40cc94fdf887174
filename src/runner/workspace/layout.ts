import { join } from 'node:path'

import type { Mount, WorkspaceRequest } from './workspace.js'

const BUILDS_DIR = '/builds'

/** Where the files of one workspace are, on the host and as a job sees them. */
export interface WorkspaceLayout {
  /** Git's own directory, which no container can write to. */
  gitDir: string
  /** Of a job's files only these two are seen by the job, and everything in them may be its doing. */
  workTree: string
  temporary: string
  buildsDir: string
  projectDir: string
  temporaryDir: string
  /** Where a job sees the objects of `gitDir`, read-only. */
  objectsDir: string
}

/** One workspace for each number of a running job, project and trust (runner protocol, 7.4; design, decision 11). */
export function workspaceLayout(root: string, request: WorkspaceRequest): WorkspaceLayout {
  const trust = request.isProtected ? '-protected' : ''
  const home = join(root, String(request.concurrentProjectId), `${request.projectId}${trust}`)
  const projectDir = `${BUILDS_DIR}/${containerPath(request)}`
  return {
    gitDir: join(home, 'git'),
    workTree: join(home, 'work'),
    temporary: join(home, 'tmp'),
    buildsDir: BUILDS_DIR,
    projectDir,
    temporaryDir: `${projectDir}.tmp`,
    objectsDir: `${projectDir}.git-objects`,
  }
}

export function workspaceMounts(layout: WorkspaceLayout): Mount[] {
  return [
    { hostPath: layout.workTree, containerPath: layout.projectDir, readOnly: false },
    { hostPath: layout.temporary, containerPath: layout.temporaryDir, readOnly: false },
    { hostPath: join(layout.gitDir, 'objects'), containerPath: layout.objectsDir, readOnly: true },
  ]
}

/** A path that is none, or that would climb, is replaced (runner protocol, 7.4). */
function containerPath({ projectId, projectPath }: WorkspaceRequest): string {
  const components = projectPath.split('/')
  const isPlain = components.every((component) => /^[\w.-]+$/.test(component) && !/^\.+$/.test(component))
  return isPlain ? projectPath : `project-${projectId}`
}
