import { isAbsolute, join, normalize } from 'node:path/posix'

import type { JobPayload } from '../../protocol/job-payload.js'
import type { RunnerRegistration } from '../config/settings.js'
import { choiceSetting } from '../variables/variable-settings.js'
import { SourcesError } from '../workspace/errors.js'
import { DEFAULT_BUILDS_DIR, defaultProjectDir } from '../workspace/layout.js'
import type { JobPlace, SourceRequest, WorkspaceRequest } from '../workspace/workspace.js'
import { isProtectedJob } from './is-protected-job.js'

interface WorkspaceNeeds {
  payload: JobPayload
  concurrentProjectId: number
  registration: Pick<RunnerRegistration, 'buildsDir' | 'isClonePathAllowed' | 'docker'>
  /** The variables of the job for a given place. The place itself depends on some of them. */
  valuesIn: (place: JobPlace) => ReadonlyMap<string, string>
}

/**
 * Determines the workspace of a job and its path inside the job (runner protocol, 7.4). Throws `SourcesError` for a
 * `GIT_CLONE_PATH` that is not allowed.
 */
export function workspaceRequest(needs: WorkspaceNeeds): WorkspaceRequest {
  const { payload, registration } = needs
  const { project_id: projectId } = payload.job_info
  const buildsDir = registration.buildsDir ?? DEFAULT_BUILDS_DIR
  const projectPath = pathOf(payload.git_info.repo_url) ?? `project-${projectId}`
  const projectDir = defaultProjectDir({ buildsDir, projectPath, projectId })
  const values = needs.valuesIn({ buildsDir, projectDir, temporaryDir: `${projectDir}.tmp` })
  const chosen = clonePath(values.get('GIT_CLONE_PATH') ?? '', buildsDir, registration.isClonePathAllowed)
  const isEmpty = strategyOf(payload, values, () => {}) === 'empty'
  const cores = coresOfJob(registration.docker)
  return {
    projectId,
    projectPath,
    concurrentProjectId: needs.concurrentProjectId,
    isProtected: isProtectedJob(payload),
    ...(cores === undefined ? {} : { cores }),
    ...(registration.buildsDir === undefined ? {} : { buildsDir }),
    ...(isEmpty ? { isEmpty } : {}),
    ...(chosen === undefined ? {} : { projectDir: chosen }),
  }
}

/** `GIT_STRATEGY`, or the project's default (runner protocol, 7.9). */
export function strategyOf(
  payload: JobPayload,
  values: ReadonlyMap<string, string>,
  warn: (text: string) => void,
): SourceRequest['strategy'] {
  const choices = ['clone', 'fetch', 'none', 'empty'] as const
  return choiceSetting(values, 'GIT_STRATEGY', choices, payload.allow_git_fetch ? 'fetch' : 'clone', warn)
}

/**
 * The project directory that the job requests with `GIT_CLONE_PATH`. Undefined if it requests none. Throws
 * `SourcesError` if the path is not allowed.
 */
export function clonePath(text: string, buildsDir: string, isAllowed: boolean): string | undefined {
  if (text === '') return undefined
  if (!isAllowed) {
    throw new SourcesError('GIT_CLONE_PATH is not allowed on this runner ("custom_build_dir")', undefined)
  }
  const path = normalize(isAbsolute(text) ? text : join(buildsDir, text)).replace(/\/+$/, '')
  // Docker splits the specification of a mount at colons.
  if (path.startsWith(`${buildsDir}/`) && !/[:\0\n]/.test(path)) return path
  throw new SourcesError(`GIT_CLONE_PATH: "${text}" is not below ${buildsDir}`, undefined)
}

/** The `group/project` part of a clone URL. */
function pathOf(repositoryUrl: string): string | undefined {
  if (!URL.canParse(repositoryUrl)) return undefined
  const path = new URL(repositoryUrl).pathname.replace(/^\/+|\/+$/g, '').replace(/\.git$/, '')
  return path === '' ? undefined : path
}

/**
 * Number of cores that the runner may use to compress the files of a job. It uses as many whole cores as the container
 * of the job may use, and at least one. Undefined means no limit.
 */
export function coresOfJob({
  cpus,
  cpusetCpus,
}: Pick<RunnerRegistration['docker'], 'cpus' | 'cpusetCpus'>): number | undefined {
  const limits = [cpus ? Math.floor(cpus) : Infinity, cpusetCpus ? sizeOfSet(cpusetCpus) : Infinity]
  const cores = Math.max(1, Math.min(...limits))
  return cores === Infinity ? undefined : cores
}

/** Number of cores in a set such as `0-2,4`. Ranges may overlap. */
function sizeOfSet(text: string): number {
  const ranges = text.split(',').map((range) => {
    const [first = 0, last = first] = range.split('-').map(Number)
    return { first, last }
  })
  let size = 0
  let next = 0
  for (const { first, last } of ranges.sort((a, b) => a.first - b.first)) {
    size += Math.max(0, last - Math.max(first, next) + 1)
    next = Math.max(next, last + 1)
  }
  return size
}
