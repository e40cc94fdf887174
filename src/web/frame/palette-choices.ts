import {
  Boxes,
  Copy,
  File,
  FolderTree,
  GitBranch,
  GitCommitHorizontal,
  Hash,
  type IconNode,
  Moon,
  Plus,
  Sun,
  User,
} from 'lucide'
import { useEffect, useMemo, useState } from 'preact/hooks'

import { addressOf } from '../../addresses/address-of.js'
import { projectApi } from '../../addresses/first-reads.js'
import type { SimpleProject } from '../../coordinator/hosting/projects/record/schema.js'
import { boot } from '../api/boot.js'
import { useRead } from '../api/use-read.js'
import { copyText } from '../kit/copy-button.js'
import { navigate } from './location.js'
import { notify } from './notices.js'
import { changePreferences } from './preferences.js'
import { accountEntries, adminEntries, groupEntries, projectEntries } from './side-entries.js'
import type { Section } from './side.js'
import { type May, useGroupAbilities, useProjectAbilities } from './use-abilities.js'

/** A line of the palette: a page, or a command. */
export interface Choice {
  id: string
  icon: IconNode
  label: string
  detail?: string
  run: () => void
}

const MOST_FOUND = 6
const RECENT_KEY = 'switchyard.palette'
const MOST_RECENT = 10
const LONGEST_PAUSE = 150
const MINUTE = 60_000

type Permission = May['may']

/**
 * What a text finds: pages of the section and of the user, commands, and with two characters or more what the server finds.
 * Projects come before the pages of the user and the commands. Without a text, what was chosen lately comes first.
 */
export function useChoices(text: string, section: Section | undefined): Choice[] {
  const project = section?.kind === 'project' ? section.path : undefined
  const group = section?.kind === 'group' ? section.path : undefined
  const inProject = useProjectAbilities(project)
  const inGroup = useGroupAbilities(group)
  const { may, isLoaded } = project === undefined ? inGroup : inProject
  const searched = usePaused(text)
  const found = useFound(searched, project)
  const inRepository = useRepository(searched, project, inProject.may)
  const record = useRead<SimpleProject>(project === undefined ? undefined : projectApi(project), {
    staleTime: MINUTE,
  }).data
  const fixed = useMemo(
    () => ({ here: choicesOf(section, may, record?.http_url_to_repo), always: choicesEverywhere() }),
    [section?.kind, project ?? group, isLoaded, record?.http_url_to_repo],
  )
  if (text === '') return recentFirst([...fixed.here, ...fixed.always])
  const matching = (choices: Choice[]) => choices.filter(({ label }) => matches(label, text))
  return [
    ...(project === undefined ? [] : numbered(project, text)),
    ...matching(fixed.here),
    ...inRepository.named,
    ...found.projects,
    ...inRepository.files,
    ...matching(fixed.always),
    ...found.others,
  ]
}

/** Projects, groups and people. */
function useFound(text: string, project: string | undefined): { projects: Choice[]; others: Choice[] } {
  const query = isLongEnough(text) ? encodeURIComponent(text) : undefined
  const projects = useRead<{ id: number; path_with_namespace: string }[]>(
    query && `/projects?search=${query}&search_namespaces=true&simple=true&per_page=${MOST_FOUND}`,
  ).data
  const groups = useRead<{ id: number; full_path: string }[]>(
    query && `/groups?search=${query}&per_page=${MOST_FOUND}`,
  ).data
  const users = useRead<{ id: number; username: string; name: string }[]>(
    query && boot.user ? `/users?search=${query}&per_page=${MOST_FOUND}` : undefined,
  ).data
  return {
    projects: (projects ?? [])
      .filter(({ path_with_namespace: path }) => path !== project)
      .map(({ id, path_with_namespace: path }) =>
        linkTo(`project-${id}`, Boxes, path, `/${path}`, 'Project'),
      ),
    others: [
      ...(groups ?? []).map(({ id, full_path: path }) =>
        linkTo(`group-${id}`, FolderTree, path, `/${path}`, 'Group'),
      ),
      ...(users ?? []).map(({ id, username, name }) =>
        linkTo(`user-${id}`, User, name, `/${username}`, `@${username}`),
      ),
    ],
  }
}

/** Branches, a commit and files of the project. */
function useRepository(
  text: string,
  project: string | undefined,
  may: Permission,
): { named: Choice[]; files: Choice[] } {
  const isSearched = project !== undefined && isLongEnough(text) && may('read_code')
  const branches = useRead<{ name: string }[]>(
    isSearched
      ? `${projectApi(project)}/repository/branches?search=${encodeURIComponent(text)}&per_page=${MOST_FOUND}`
      : undefined,
  ).data
  if (!isSearched) return { named: [], files: [] }
  return {
    named: [
      ...(/^[\da-f]{7,40}$/.test(text)
        ? [
            linkTo(
              `commit-${text}`,
              GitCommitHorizontal,
              `Commit ${text.slice(0, 8)}`,
              addressOf('code/commit', { project, sha: text }),
            ),
          ]
        : []),
      ...(branches ?? []).map(({ name }) =>
        linkTo(
          `branch-${name}`,
          GitBranch,
          name,
          addressOf('code/tree', { project, ref_path: name }),
          'Branch',
        ),
      ),
    ],
    files: [
      linkTo(
        'find-file',
        File,
        `Find files with ${text}`,
        `${addressOf('code/find-file', { project, ref: '' })}?q=${encodeURIComponent(text)}`,
      ),
    ],
  }
}

function isLongEnough(text: string): boolean {
  return text.length >= 2
}

/** The pages of a project or group, and commands for it. */
function choicesOf(
  section: Section | undefined,
  may: Permission,
  cloneAddress: string | undefined,
): Choice[] {
  if (section?.kind === 'project') {
    return [
      ...linksTo(projectEntries(section.path, { may }), 'This project'),
      ...projectCommands(section.path, may, cloneAddress),
    ]
  }
  return section?.kind === 'group' ? linksTo(groupEntries(section.path, { may }), 'This group') : []
}

/** The user's own pages, those of the instance, and commands. */
function choicesEverywhere(): Choice[] {
  return [
    ...(boot.user ? linksTo(accountEntries(), 'Your account') : []),
    ...(boot.user?.is_admin ? linksTo(adminEntries(), 'Administration') : []),
    linkTo('home', Boxes, 'Home', '/'),
    linkTo('explore', Boxes, 'Explore projects', addressOf('projects/explore', {})),
    ...(boot.user ? [linkTo('new-project', Plus, 'New project', addressOf('projects/new', {}))] : []),
    { id: 'dark', icon: Moon, label: 'Dark theme', run: () => changePreferences({ theme: 'dark' }) },
    { id: 'light', icon: Sun, label: 'Light theme', run: () => changePreferences({ theme: 'light' }) },
  ]
}

interface Entry {
  href: string
  icon: IconNode
  label: string
}

function linksTo(entries: readonly Entry[], detail: string): Choice[] {
  return entries.map(({ href, icon, label }) =>
    linkTo(href.replaceAll(/\W+/g, '-'), icon, label, href, detail),
  )
}

function projectCommands(project: string, may: Permission, cloneAddress: string | undefined): Choice[] {
  return [
    ...(may('run_pipelines')
      ? [linkTo('run', Plus, 'Run pipeline', addressOf('pipelines/new', { project }))]
      : []),
    ...(may('read_code') && cloneAddress !== undefined
      ? [
          {
            id: 'copy-clone',
            icon: Copy,
            label: 'Copy clone address',
            run: () => void copyText(cloneAddress).then(() => notify('The clone address was copied')),
          },
        ]
      : []),
  ]
}

/** The pipeline and the job with a number. */
function numbered(project: string, text: string): Choice[] {
  const id = /^#?(\d+)$/.exec(text)?.[1]
  if (id === undefined) return []
  return [
    linkTo(`pipeline-${id}`, Hash, `Pipeline #${id}`, addressOf('pipelines/pipeline', { project, id })),
    linkTo(`job-${id}`, Hash, `Job #${id}`, addressOf('jobs/job', { project, id })),
  ]
}

function linkTo(id: string, icon: IconNode, label: string, href: string, detail?: string): Choice {
  return { id, icon, label, ...(detail !== undefined && { detail }), run: () => navigate(href) }
}

/** Whether the letters of `text` occur in `label` in their order. */
function matches(label: string, text: string): boolean {
  let from = 0
  for (const letter of text.toLowerCase()) {
    from = label.toLowerCase().indexOf(letter, from) + 1
    if (from === 0) return false
  }
  return true
}

function usePaused(text: string): string {
  const [paused, setPaused] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setPaused(text), LONGEST_PAUSE)
    return () => clearTimeout(timer)
  }, [text])
  return paused
}

function recent(): string[] {
  const stored: unknown = JSON.parse(sessionStorage.getItem(RECENT_KEY) ?? '[]')
  return Array.isArray(stored) ? stored.map(String) : []
}

/** Puts a choice in front of those that were chosen lately. */
export function remember(id: string): void {
  const ids = [id, ...recent().filter((other) => other !== id)].slice(0, MOST_RECENT)
  sessionStorage.setItem(RECENT_KEY, JSON.stringify(ids))
}

function recentFirst(choices: Choice[]): Choice[] {
  const ids = recent()
  const rank = ({ id }: Choice) => (ids.includes(id) ? ids.indexOf(id) : MOST_RECENT)
  return choices.toSorted((a, b) => rank(a) - rank(b))
}
