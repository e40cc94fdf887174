import type { Commit } from '../../../../git/parse-commit.js'
import type { Project } from '../../../access/caller.js'
import { projectAvatarUrl } from '../../../http/presenters/avatar-url.js'
import { sshUrl } from '../../../http/presenters/ssh-url.js'

const LEVELS = { private: 0, internal: 10, public: 20 } as const

/** Facts of a project in payloads, besides its own row. */
export interface ProjectAround {
  project: Project
  /** Display name of the namespace. */
  namespaceName: string
  /** Public URL of the coordinator, without a trailing slash. */
  externalUrl: string
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
