import { join } from 'node:path'

import type { GitInfo } from '../../../src/protocol/job-payload.js'
import { createBindWorkspaceProvider } from '../../../src/runner/workspace/bind-workspace.js'
import {
  DEFAULT_SOURCE_SETTINGS,
  type SourceSettings,
} from '../../../src/runner/workspace/source-settings.js'
import type { SourceRequest, Workspace, WorkspaceRequest } from '../../../src/runner/workspace/workspace.js'
import { tempDir } from '../../support/temp-dir.js'
import { NEVER, RecordedLog } from '../executor/docker-jobs.js'
import type { GitServer } from './git-server.js'

export interface OpenWorkspace {
  workspace: Workspace
  root: string
  /** Host directories behind what the job sees. */
  work: string
  temporary: string
  gitDir: string
  modules: string
}

export async function openWorkspace(
  root?: string,
  request: Partial<WorkspaceRequest> = {},
): Promise<OpenWorkspace> {
  const home = root ?? join(await tempDir(), 'builds')
  const workspace = await createBindWorkspaceProvider({ root: home }).open({
    projectId: 3,
    projectPath: 'group/project',
    concurrentProjectId: 0,
    isProtected: false,
    ...request,
  })
  const [work, temporary, objects, modules] = workspace.mounts.map((mount) => mount.hostPath)
  return {
    workspace,
    root: home,
    work: work ?? '',
    temporary: temporary ?? '',
    gitDir: join(objects ?? '', '..'),
    modules: modules ?? '',
  }
}

/** Prepares the sources of a commit on main; answers what the log says. */
export async function prepare(
  workspace: Workspace,
  server: GitServer,
  sha: string,
  more: Partial<GitInfo> & {
    strategy?: SourceRequest['strategy']
    settings?: Partial<SourceSettings>
    signal?: AbortSignal
  } = {},
): Promise<string> {
  const { strategy = 'fetch', settings, signal = NEVER, ...git } = more
  const log = new RecordedLog()
  await workspace.prepareSources(
    {
      strategy,
      userAgent: 'switchyard test',
      settings: { ...DEFAULT_SOURCE_SETTINGS, ...settings },
      git: {
        repo_url: server.repoUrl,
        ref: 'main',
        sha,
        refspecs: ['+refs/heads/main:refs/remotes/origin/main'],
        depth: 20,
        ...git,
      },
    },
    log,
    signal,
  )
  return log.text
}
