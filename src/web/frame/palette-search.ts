import {
  Boxes,
  CircleDot,
  File,
  FolderTree,
  GitBranch,
  GitCommitHorizontal,
  GitPullRequestArrow,
  ListChecks,
  Search,
  SearchCode,
  Server,
  Tag,
  User,
  Workflow,
} from 'lucide'

import { addressOf, queryOf } from '../../addresses/address-of.js'
import { groupApi, projectApi } from '../../addresses/first-reads.js'
import type { RunnerJob } from '../../coordinator/ci/jobs/schema.js'
import type { PipelineEverywhere } from '../../coordinator/ci/pipelines/everywhere/schema.js'
import { boot } from '../api/boot.js'
import { useRead } from '../api/use-read.js'
import { type Choice, linkTo } from './palette-choice.js'
import type { Section } from './side.js'
import type { May } from './use-abilities.js'

/** Of each kind. */
const MAX_FOUND = 6
const SHORTEST = 2

/** What the server finds, in the order in which it is shown. */
export interface FoundChoices {
  /** Branches, tags, a commit, pipelines, jobs and runners. */
  named: Choice[]
  projects: Choice[]
  files: Choice[]
  /** Issues and merge requests. */
  planned: Choice[]
  /** The page that searches everything. */
  everywhere: Choice[]
  /** Groups and people. */
  others: Choice[]
}

/**
 * Finds records by a text of two characters or more: those of the project or group of the page, and projects, groups and
 * people everywhere. Outside of a project, pipelines are those of all projects, and so are jobs and runners for administrators.
 */
export function useFoundChoices(text: string, section: Section | undefined, may: May['may']): FoundChoices {
  const searched = text.length >= SHORTEST ? text : undefined
  const project = section?.kind === 'project' ? section.path : undefined
  const pipelines = usePipelines(searched, section, may)
  const jobs = useJobs(searched, project, may)
  const runners = useRunners(searched, section, may)
  const refs = useRefs(searched, project, may)
  const files = useFiles(searched, project, may)
  return {
    named: [...refs, ...pipelines, ...jobs, ...runners],
    projects: useProjects(searched, project),
    files,
    planned: usePlanned(searched, section, may),
    everywhere: searchChoices(searched, section),
    others: useGroupsAndPeople(searched),
  }
}

function useFound<Row>(path: string | undefined, query: Record<string, string | boolean | undefined>): Row[] {
  const address = path === undefined ? undefined : path + queryOf({ ...query, per_page: MAX_FOUND })
  return useRead<Row[]>(address).data ?? []
}

function useProjects(search: string | undefined, current: string | undefined): Choice[] {
  const rows = useFound<{ id: number; path_with_namespace: string }>(search && '/projects', {
    search,
    search_namespaces: true,
    simple: true,
  })
  return rows
    .filter(({ path_with_namespace: path }) => path !== current)
    .map(({ id, path_with_namespace: path }) => linkTo(`project-${id}`, Boxes, path, `/${path}`, 'Project'))
}

function useGroupsAndPeople(search: string | undefined): Choice[] {
  const groups = useFound<{ id: number; full_path: string }>(search && '/groups', { search })
  const users = useFound<{ id: number; username: string; name: string }>(
    boot.user ? search && '/users' : undefined,
    { search },
  )
  return [
    ...groups.map(({ id, full_path: path }) => linkTo(`group-${id}`, FolderTree, path, `/${path}`, 'Group')),
    ...users.map(({ id, username, name }) =>
      linkTo(`user-${id}`, User, name, `/${username}`, `@${username}`),
    ),
  ]
}

interface FoundPlanned {
  id: number
  title: string
  web_url: string
  references: { full: string; short: string }
}

/** Issues and merge requests by a part of the title, or by a number such as `#12` or `!12`; of all projects outside of one. */
function usePlanned(search: string | undefined, section: Section | undefined, may: May['may']): Choice[] {
  const project = section?.kind === 'project' ? section.path : undefined
  const [, sign, number] = /^([#!])(\d{1,9})$/.exec(search ?? '') ?? []
  const query = {
    ...(number === undefined ? { search, in: 'title' } : { 'iids[]': number }),
    scope: 'all',
  }
  const pathOf = (list: 'issues' | 'merge_requests', ownSign: string) => {
    if (search === undefined || (sign !== undefined && sign !== ownSign)) return undefined
    if (project !== undefined) return may(`read_${list}`) ? `${projectApi(project)}/${list}` : undefined
    return boot.user ? `/${list}` : undefined
  }
  const issues = useFound<FoundPlanned>(pathOf('issues', '#'), query)
  const requests = useFound<FoundPlanned>(pathOf('merge_requests', '!'), query)
  const choicesOf = (rows: FoundPlanned[], kind: string, icon: typeof CircleDot, detail: string) =>
    rows.map(({ id, title, web_url, references: { full, short } }) =>
      linkTo(`${kind}-${id}`, icon, `${title} ${project === undefined ? full : short}`, web_url, detail),
    )
  return [
    ...choicesOf(issues, 'issue', CircleDot, 'Issue'),
    ...choicesOf(requests, 'merge-request', GitPullRequestArrow, 'Merge request'),
  ]
}

/** The page that searches the project or group, and all projects. */
function searchChoices(search: string | undefined, section: Section | undefined): Choice[] {
  if (!boot.user || search === undefined) return []
  const owner =
    section?.kind === 'project'
      ? { project_id: section.path, scope: 'issues' }
      : section?.kind === 'group'
        ? { group_id: section.path, scope: 'issues' }
        : undefined
  return [
    ...(owner
      ? [
          linkTo(
            'search-here',
            Search,
            `Search for “${search}” in this ${section?.kind}`,
            addressOf('search', {}, { search, ...owner }),
          ),
        ]
      : []),
    linkTo('search', Search, `Search for “${search}” everywhere`, addressOf('search', {}, { search })),
  ]
}

type FoundPipeline = Pick<PipelineEverywhere, 'id' | 'ref' | 'name' | 'status'> &
  Partial<Pick<PipelineEverywhere, 'project'>>

function usePipelines(search: string | undefined, section: Section | undefined, may: May['may']): Choice[] {
  const project = section?.kind === 'project' ? section.path : undefined
  const group = section?.kind === 'group' ? section.path : undefined
  const everywhere = boot.user ? '/pipelines' : undefined
  const ofProject =
    project !== undefined && may('read_pipelines') ? `${projectApi(project)}/pipelines` : undefined
  const path = project === undefined ? everywhere : ofProject
  const rows = useFound<FoundPipeline>(search && path, { search, group })
  return rows.flatMap(({ id, ref, name, status, project: of }) => {
    const at = project ?? of?.path_with_namespace
    if (at === undefined) return []
    const label = `${name ?? ref} #${id}`
    const detail = `Pipeline, ${status}`
    const href = addressOf('pipelines/pipeline', { project: at, id: String(id) })
    return [
      linkTo(`pipeline-${id}`, Workflow, project === undefined ? `${label} · ${at}` : label, href, detail),
    ]
  })
}

type FoundJob = Pick<RunnerJob, 'id' | 'name' | 'ref' | 'status' | 'project'>

function useJobs(search: string | undefined, project: string | undefined, may: May['may']): Choice[] {
  const everywhere = boot.user?.is_admin ? '/jobs' : undefined
  const ofProject = project !== undefined && may('read_pipelines') ? `${projectApi(project)}/jobs` : undefined
  const rows = useFound<FoundJob>(search && (project === undefined ? everywhere : ofProject), {
    search,
    pagination: 'keyset',
  })
  return rows.map(({ id, name, ref, status, project: of }) => {
    const at = project ?? of.path_with_namespace
    const label = `${name} #${id} · ${project === undefined ? at : ref}`
    return linkTo(
      `job-${id}`,
      ListChecks,
      label,
      addressOf('jobs/job', { project: at, id: String(id) }),
      `Job, ${status}`,
    )
  })
}

function useRunners(search: string | undefined, section: Section | undefined, may: May['may']): Choice[] {
  const { path, hrefOf } = runnersPage(section, may)
  const rows = useFound<{ id: number; description: string | null; status: string }>(search && path, {
    search,
  })
  return rows.map(({ id, description, status }) =>
    linkTo(`runner-${id}`, Server, description || `#${id}`, hrefOf(String(id)), `Runner, ${status}`),
  )
}

interface Runners {
  /** Undefined if the user manages none here. */
  path: string | undefined
  hrefOf: (id: string) => string
}

function runnersPage(section: Section | undefined, may: May['may']): Runners {
  if (section?.kind === 'project') {
    const { path: project } = section
    return {
      path: may('admin_runners') ? `${projectApi(project)}/runners` : undefined,
      hrefOf: (id) => addressOf('runners/runner', { project, id }),
    }
  }
  if (section?.kind === 'group') {
    const { path: group } = section
    return {
      path: may('admin_group_runners') ? `${groupApi(group)}/runners` : undefined,
      hrefOf: (id) => addressOf('groups/runner', { group, id }),
    }
  }
  return {
    path: boot.user?.is_admin ? '/runners/all' : undefined,
    hrefOf: (id) => addressOf('admin/runner', { id }),
  }
}

/** Branches and tags, and a commit by the digits of its SHA. */
function useRefs(search: string | undefined, project: string | undefined, may: May['may']): Choice[] {
  const repository =
    project !== undefined && may('read_code') ? search && `${projectApi(project)}/repository` : undefined
  const branches = useFound<{ name: string }>(repository && `${repository}/branches`, { search })
  const tags = useFound<{ name: string }>(repository && `${repository}/tags`, { search })
  if (project === undefined || search === undefined || !repository) return []
  const commit = addressOf('code/commit', { project, sha: search })
  const treeOf = (name: string) => addressOf('code/tree', { project, ref_path: name })
  return [
    ...(/^[\da-f]{7,40}$/.test(search)
      ? [linkTo(`commit-${search}`, GitCommitHorizontal, `Commit ${search.slice(0, 8)}`, commit)]
      : []),
    ...branches.map(({ name }) => linkTo(`branch-${name}`, GitBranch, name, treeOf(name), 'Branch')),
    ...tags.map(({ name }) =>
      linkTo(`tag-${name}`, Tag, name, addressOf('code/tag', { project, tag: name }), 'Tag'),
    ),
  ]
}

/** Files of the default branch by a part of their path, and the pages that search all of them. */
function useFiles(search: string | undefined, project: string | undefined, may: May['may']): Choice[] {
  const isSearched = search !== undefined && project !== undefined && may('read_code')
  const found = useFound<{ path: string; ref: string }>(
    isSearched && boot.user ? `${projectApi(project)}/search` : undefined,
    { scope: 'blobs', search: search && `path:${search.replaceAll(/\s+/g, '*')}` },
  )
  if (!isSearched) return []
  const finder = `${addressOf('code/find-file', { project, ref: '' })}${queryOf({ q: search })}`
  return [
    ...found.map(({ path, ref }) =>
      linkTo(
        `file-${path}`,
        File,
        path,
        addressOf('code/file', { project, ref_path: `${ref}/${path}` }),
        'File',
      ),
    ),
    linkTo('find-file', File, `Find files with ${search}`, finder),
    ...(boot.user
      ? [
          linkTo(
            'search-code',
            SearchCode,
            `Search code for ${search}`,
            addressOf('code/search', { project }, { search }),
          ),
        ]
      : []),
  ]
}
