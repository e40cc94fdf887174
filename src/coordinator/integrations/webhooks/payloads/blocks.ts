import type { Selectable } from 'kysely'

import type { Commit } from '../../../../git/parse-commit.js'
import type { Project, User } from '../../../access/caller.js'
import type { RunnerTable } from '../../../database/tables/runners.js'
import { projectAvatarUrl } from '../../../http/presenters/avatar-url.js'
import { presentUser } from '../../../http/presenters/present-user.js'
import { sshUrl } from '../../../http/presenters/ssh-url.js'

/** Parts that payloads share (API, K4). */

const LEVELS = { private: 0, internal: 10, public: 20 } as const
/** Replaces an e-mail address that is not public. */
const HIDDEN_EMAIL = '[REDACTED]'

/** Facts of a project in payloads, besides its own row. */
export interface ProjectAround {
  project: Project
  /** Display name of the namespace. */
  namespaceName: string
  /** Public URL of the coordinator, without a trailing slash. */
  externalUrl: string
}

/** `2013-12-03 17:15:43 UTC`. */
export function hookTime(milliseconds: number): string {
  return new Date(milliseconds)
    .toISOString()
    .replace('T', ' ')
    .replace(/\.\d+Z$/, ' UTC')
}

export function hookTimeOrNull(milliseconds: number | null): string | null {
  return milliseconds === null ? null : hookTime(milliseconds)
}

/** Seconds between two times in milliseconds; null without a start time. */
export function secondsFrom(start: number | null, end: number): number | null {
  return start === null ? null : Math.max(0, end - start) / 1000
}

export function projectUrl({ project, externalUrl }: ProjectAround): string {
  return `${externalUrl}/${project.full_path}`
}

export function projectBlock(around: ProjectAround) {
  const { project, namespaceName } = around
  const webUrl = projectUrl(around)
  const [http, ssh] = [`${webUrl}.git`, sshUrl(project.full_path, around.externalUrl)]
  return {
    id: project.id,
    name: project.name,
    description: project.description,
    web_url: webUrl,
    avatar_url: projectAvatarUrl(project, around.externalUrl),
    git_ssh_url: ssh,
    git_http_url: http,
    namespace: namespaceName,
    visibility_level: LEVELS[project.visibility],
    path_with_namespace: project.full_path,
    default_branch: project.default_branch,
    ci_config_path: project.ci_config_path,
    homepage: webUrl,
    url: ssh,
    ssh_url: ssh,
    http_url: http,
  }
}

export function repositoryBlock(around: ProjectAround) {
  const { name, description, full_path } = around.project
  return { name, url: sshUrl(full_path, around.externalUrl), description, homepage: projectUrl(around) }
}

/** Repository block with the additional fields of push and job events. */
export function fullRepositoryBlock(around: ProjectAround) {
  return {
    ...repositoryBlock(around),
    git_http_url: `${projectUrl(around)}.git`,
    git_ssh_url: sshUrl(around.project.full_path, around.externalUrl),
    visibility_level: LEVELS[around.project.visibility],
  }
}

/** A user with the public part of the profile. */
export type HookUser = User & { public_email: string | null }

export function userBlock(user: HookUser, externalUrl: string) {
  const { id, name, username, avatar_url } = presentUser(user, externalUrl)
  return { id, name, username, avatar_url, email: user.public_email || HIDDEN_EMAIL }
}

export function commitBlock(commit: Commit, around: ProjectAround) {
  return {
    id: commit.id,
    message: commit.message,
    title: commit.title,
    timestamp: commit.committedDate.replace(/\.\d+/, ''),
    url: `${projectUrl(around)}/-/commit/${commit.id}`,
    author: { name: commit.authorName, email: commit.authorEmail },
  }
}

export function runnerBlock(runner: Selectable<RunnerTable>) {
  return {
    id: runner.id,
    description: runner.description,
    runner_type: runner.runner_type,
    active: runner.active,
    is_shared: runner.runner_type === 'instance_type',
    tags: runner.tag_list,
  }
}
