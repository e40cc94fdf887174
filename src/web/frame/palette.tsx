import { Boxes, FolderTree, Hash, type IconNode, Moon, Plus, Search, Sun, User } from 'lucide'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'

import { addressOf } from '../../addresses/address-of.js'
import { boot } from '../api/boot.js'
import { useRead } from '../api/use-read.js'
import { Icon } from '../kit/icon.js'
import { useKeys } from '../kit/keys.js'
import { navigate } from './location.js'
import styles from './palette.module.css'
import { changePreferences } from './preferences.js'
import { accountEntries, adminEntries, groupEntries, projectEntries } from './side-entries.js'
import type { Section } from './side.js'

interface Choice {
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

let open: (() => void) | undefined

export function openPalette(): void {
  open?.()
}

/** The dialog of Ctrl K: finds pages, projects, groups and people, and carries out commands. */
export function Palette({ section }: { section: Section | undefined }) {
  const [isOpen, setOpen] = useState(false)
  open = () => setOpen(true)
  useKeys({ '/': () => focusFilter() })
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.shiftKey) return
      event.preventDefault()
      setOpen((was) => !was)
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [])
  return isOpen ? <OpenPalette section={section} close={() => setOpen(false)} /> : null
}

function OpenPalette({ section, close }: { section: Section | undefined; close: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null)
  const [text, setText] = useState('')
  const [index, setIndex] = useState(0)
  const choices = useChoices(text.trim(), section)
  const chosen = choices[Math.min(index, choices.length - 1)]
  useEffect(() => {
    dialog.current?.showModal()
  }, [])
  const choose = (choice: Choice | undefined) => {
    if (!choice) return
    close()
    remember(choice.id)
    choice.run()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined) {
      event.preventDefault()
      setIndex((index + step + choices.length) % Math.max(1, choices.length))
    } else if (event.key === 'Enter') {
      event.preventDefault()
      choose(chosen)
    }
  }
  return (
    <dialog
      ref={dialog}
      class={styles['palette']}
      aria-label="Go to"
      onClose={close}
      onClick={(event) => {
        if (event.target === dialog.current) close()
      }}
    >
      <div class={styles['input']}>
        <Icon icon={Search} />
        <input
          type="text"
          role="combobox"
          aria-label="Page, project, #pipeline or command"
          aria-expanded="true"
          aria-controls="palette-choices"
          aria-activedescendant={chosen && `palette-${chosen.id}`}
          placeholder="Page, project, #pipeline or command"
          value={text}
          autoFocus
          autoComplete="off"
          spellcheck={false}
          onInput={({ currentTarget }) => {
            setText(currentTarget.value)
            setIndex(0)
          }}
          onKeyDown={onKeyDown}
        />
      </div>
      <div id="palette-choices" role="listbox" aria-label="Results" class={styles['choices']}>
        {choices.map((choice) => (
          <div
            key={choice.id}
            id={`palette-${choice.id}`}
            role="option"
            aria-selected={choice === chosen}
            class={styles['choice']}
            onClick={() => choose(choice)}
          >
            <Icon icon={choice.icon} />
            <span class={styles['label']}>{choice.label}</span>
            {choice.detail !== undefined && <span class={styles['detail']}>{choice.detail}</span>}
          </div>
        ))}
      </div>
      {choices.length === 0 && <p class={styles['none']}>Nothing has this name.</p>}
    </dialog>
  )
}

function useChoices(text: string, section: Section | undefined): Choice[] {
  const searched = usePaused(text)
  const query = searched.length >= 2 ? encodeURIComponent(searched) : undefined
  const projects = useRead<{ id: number; path_with_namespace: string }[]>(
    query && `/projects?search=${query}&search_namespaces=true&simple=true&per_page=${MOST_FOUND}`,
  ).data
  const groups = useRead<{ id: number; full_path: string }[]>(
    query && `/groups?search=${query}&per_page=${MOST_FOUND}`,
  ).data
  const users = useRead<{ id: number; username: string; name: string }[]>(
    query && boot.user ? `/users?search=${query}&per_page=${MOST_FOUND}` : undefined,
  ).data
  const fixed = useMemo(
    () => fixedChoices(section),
    [section?.kind, section && 'path' in section && section.path],
  )
  const matching = fixed.filter(({ label }) => matches(label, text))
  const number = /^#?(\d+)$/.exec(text)?.[1]
  return [
    ...(number && section?.kind === 'project' ? numbered(section.path, number) : []),
    ...(text === '' ? recentFirst(matching) : matching),
    ...(projects ?? []).map(({ id, path_with_namespace: path }) =>
      linkTo(`project-${id}`, Boxes, path, `/${path}`, 'Project'),
    ),
    ...(groups ?? []).map(({ id, full_path: path }) =>
      linkTo(`group-${id}`, FolderTree, path, `/${path}`, 'Group'),
    ),
    ...(users ?? []).map(({ id, username, name }) =>
      linkTo(`user-${id}`, User, name, `/${username}`, `@${username}`),
    ),
  ]
}

function fixedChoices(section: Section | undefined): Choice[] {
  const everything = { may: () => true }
  const inSection =
    section?.kind === 'project'
      ? projectEntries(section.path, everything)
      : section?.kind === 'group'
        ? groupEntries(section.path, everything)
        : []
  const entries = [
    ...inSection.map((entry) => ({
      ...entry,
      detail: section ? `This ${section.kind}` : '',
    })),
    ...(boot.user ? accountEntries().map((entry) => ({ ...entry, detail: 'Your account' })) : []),
    ...(boot.user?.is_admin ? adminEntries().map((entry) => ({ ...entry, detail: 'Administration' })) : []),
  ]
  const commands: Choice[] = [
    ...(section?.kind === 'project'
      ? [linkTo('run', Plus, 'Run pipeline', addressOf('pipelines/new', { project: section.path }))]
      : []),
    linkTo('home', Boxes, 'Home', '/'),
    linkTo('explore', Boxes, 'Explore projects', addressOf('projects/explore', {})),
    linkTo('new-project', Plus, 'New project', addressOf('projects/new', {})),
    { id: 'dark', icon: Moon, label: 'Dark theme', run: () => changePreferences({ theme: 'dark' }) },
    { id: 'light', icon: Sun, label: 'Light theme', run: () => changePreferences({ theme: 'light' }) },
  ]
  return [
    ...entries.map(({ href, icon, label, detail }) =>
      linkTo(href.replaceAll(/\W+/g, '-'), icon, label, href, detail),
    ),
    ...commands,
  ]
}

function numbered(project: string, id: string): Choice[] {
  return [
    linkTo(`pipeline-${id}`, Hash, `Pipeline #${id}`, addressOf('pipelines/pipeline', { project, id })),
    linkTo(`job-${id}`, Hash, `Job #${id}`, addressOf('jobs/job', { project, id })),
  ]
}

function linkTo(id: string, icon: IconNode, label: string, href: string, detail?: string): Choice {
  return { id, icon, label, ...(detail !== undefined && { detail }), run: () => navigate(href) }
}

/** Whether the letters of `text` occur in `label` in their order. */
export function matches(label: string, text: string): boolean {
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

function remember(id: string): void {
  const ids = [id, ...recent().filter((other) => other !== id)].slice(0, MOST_RECENT)
  sessionStorage.setItem(RECENT_KEY, JSON.stringify(ids))
}

function recentFirst(choices: Choice[]): Choice[] {
  const ids = recent()
  const rank = ({ id }: Choice) => (ids.includes(id) ? ids.indexOf(id) : MOST_RECENT)
  return choices.toSorted((a, b) => rank(a) - rank(b))
}

function focusFilter(): void {
  const filter = document.querySelector<HTMLElement>(
    '[data-filter] input, input[data-filter], input[type=search]',
  )
  if (filter) filter.focus()
  else openPalette()
}
