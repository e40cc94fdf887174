import { Boxes, Copy, Hash, type IconNode, Moon, Plus, Scissors, Sun } from 'lucide'

import { addressOf } from '../../addresses/address-of.js'
import { projectApi } from '../../addresses/first-reads.js'
import type { SimpleProject } from '../../coordinator/hosting/projects/record/schema.js'
import { MINUTE } from '../../lib/time-units.js'
import { boot } from '../api/boot.js'
import { useRead } from '../api/use-read.js'
import { copyText } from '../kit/copy-button.js'
import { usePaused } from '../kit/use-paused.js'
import { notify } from './notices.js'
import { type Choice, linkTo } from './palette-choice.js'
import { useFoundChoices } from './palette-search.js'
import { changePreferences } from './preferences.js'
import { accountEntries, adminEntries, groupEntries, projectEntries } from './side-entries.js'
import type { Section } from './side.js'
import { type May, useGroupAbilities, useProjectAbilities } from './use-abilities.js'

const RECENT_KEY = 'switchyard.palette'
const MAX_RECENT = 10

type Permission = May['may']

/**
 * What a text finds: pages of the section and of the user, commands, and with two characters or more what the server finds.
 * Records of the section come first, and projects before the pages of the user and the commands. Without a text, what was chosen lately comes first.
 */
export function useChoices(text: string, section: Section | undefined): Choice[] {
  const project = section?.kind === 'project' ? section.path : undefined
  const group = section?.kind === 'group' ? section.path : undefined
  const inProject = useProjectAbilities(project)
  const inGroup = useGroupAbilities(group)
  const { may } = project === undefined ? inGroup : inProject
  const searched = usePaused(text)
  const found = useFoundChoices(searched, section, may)
  const record = useRead<SimpleProject>(project === undefined ? undefined : projectApi(project), {
    staleTime: MINUTE,
  }).data
  const here = choicesOf(section, may, record?.http_url_to_repo)
  const always = choicesEverywhere()
  if (text === '') return recentFirst([...here, ...always])
  const matching = (choices: Choice[]) => choices.filter(({ label }) => matches(label, text))
  const byNumber = project === undefined ? [] : numbered(project, text)
  const named = new Set(byNumber.map(({ id }) => id))
  return [
    ...byNumber,
    ...matching(here),
    ...(project === undefined ? found.projects : []),
    ...found.planned,
    ...found.named.filter(({ id }) => !named.has(id)),
    ...(project === undefined ? [] : found.projects),
    ...found.files,
    ...matching(always),
    ...found.others,
    ...found.everywhere,
  ]
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
    ...(boot.user
      ? [linkTo('snippets', Scissors, 'Your snippets', addressOf('snippets/own', { root: 'dashboard' }))]
      : []),
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

/** Whether the letters of `text` occur in `label` in their order. */
function matches(label: string, text: string): boolean {
  let from = 0
  for (const letter of text.toLowerCase()) {
    from = label.toLowerCase().indexOf(letter, from) + 1
    if (from === 0) return false
  }
  return true
}

function recent(): string[] {
  const stored: unknown = JSON.parse(sessionStorage.getItem(RECENT_KEY) ?? '[]')
  return Array.isArray(stored) ? stored.map(String) : []
}

/** Puts a choice in front of those that were chosen lately. */
export function remember(id: string): void {
  const ids = [id, ...recent().filter((other) => other !== id)].slice(0, MAX_RECENT)
  sessionStorage.setItem(RECENT_KEY, JSON.stringify(ids))
}

function recentFirst(choices: Choice[]): Choice[] {
  const ids = recent()
  const rank = ({ id }: Choice) => (ids.includes(id) ? ids.indexOf(id) : MAX_RECENT)
  return choices.toSorted((a, b) => rank(a) - rank(b))
}
