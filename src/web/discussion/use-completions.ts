import { useEffect, useState } from 'preact/hooks'

import { queryOf } from '../../addresses/address-of.js'
import { projectApi } from '../../addresses/first-reads.js'
import { RequestError } from '../api/client.js'
import { readOnce } from '../api/use-read.js'
import { type Completion, quoted } from './completion.js'
import type { DiscussedKind } from './discussed-kind.js'
import { emojiNames, emojiOf } from './emoji.js'
import { quickActions } from './quick-actions.js'

/** One of the texts that could replace the word before the cursor. */
export interface CompletionChoice {
  /** What is inserted. */
  text: string
  label: string
  detail?: string | undefined
  /** Color of a label. */
  color?: string
}

const MAX_CHOICES = 8
const PAUSE_MILLISECONDS = 120

/** What could complete a word; nothing while it is read, and if it cannot be read. */
export function useCompletions(
  project: string | undefined,
  kind: DiscussedKind | undefined,
  completion: Completion | undefined,
): CompletionChoice[] {
  const [choices, setChoices] = useState<CompletionChoice[]>([])
  const { sigil, query } = completion ?? {}
  useEffect(() => {
    if (sigil === undefined || query === undefined) {
      setChoices([])
      return undefined
    }
    if (sigil === '/' || sigil === ':') {
      setChoices(sigil === ':' ? emojiChoices(query) : kind ? actionChoices(kind, query) : [])
      return undefined
    }
    if (project === undefined) {
      setChoices([])
      return undefined
    }
    let isCurrent = true
    const timer = setTimeout(() => {
      FINDERS[sigil](projectApi(project), query).then(
        (found) => isCurrent && setChoices(found.slice(0, MAX_CHOICES)),
        (error: unknown) => {
          if (!(error instanceof RequestError)) throw error
          // The reader may not list these, or the server is away: nothing is offered.
          if (isCurrent) setChoices([])
        },
      )
    }, PAUSE_MILLISECONDS)
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [project, kind, sigil, query])
  return choices
}

function actionChoices(kind: DiscussedKind, query: string): CompletionChoice[] {
  return quickActions(kind, query)
    .slice(0, MAX_CHOICES)
    .map(({ name, does, takes }) => ({
      text: takes === undefined ? `/${name}` : `/${name} `,
      label: takes === undefined ? `/${name}` : `/${name} ${takes}`,
      detail: does,
    }))
}

function emojiChoices(query: string): CompletionChoice[] {
  return emojiNames(query)
    .slice(0, MAX_CHOICES)
    .map((name) => ({ text: `${emojiOf(name)} `, label: `${emojiOf(name)} ${name}` }))
}

type Finder = (base: string, query: string) => Promise<CompletionChoice[]>

const FINDERS: Record<Exclude<Completion['sigil'], '/' | ':'>, Finder> = {
  '@': async (base, query) => {
    const users = await readOnce<{ username: string; name: string }[]>(
      `${base}/users${queryOf({ search: query || undefined, per_page: MAX_CHOICES })}`,
    )
    return users.map(({ username, name }) => ({ text: `@${username} `, label: `@${username}`, detail: name }))
  },
  '#': numbered('issues', '#'),
  '!': numbered('merge_requests', '!'),
  '~': async (base, query) => {
    const labels = await readOnce<{ name: string; color: string; description: string | null }[]>(
      `${base}/labels${queryOf({ search: query || undefined, per_page: MAX_CHOICES })}`,
    )
    return labels.map(({ name, color, description }) => ({
      text: `${quoted('~', name)} `,
      label: name,
      detail: description ?? undefined,
      color,
    }))
  },
  '%': async (base, query) => {
    const milestones = await readOnce<{ title: string; due_date: string | null }[]>(
      `${base}/milestones${queryOf({
        search: query || undefined,
        state: 'active',
        include_ancestors: true,
        per_page: MAX_CHOICES,
      })}`,
    )
    return milestones.map(({ title, due_date }) => ({
      text: `${quoted('%', title)} `,
      label: title,
      detail: due_date === null ? undefined : `due ${due_date}`,
    }))
  },
}

/** Issues or merge requests: by number, or by words of the title, the last changed ones first. */
function numbered(kind: DiscussedKind, sigil: '#' | '!'): Finder {
  return async (base, query) => {
    const search = /^\d+$/.test(query) ? { 'iids[]': query } : { search: query || undefined, in: 'title' }
    const rows = await readOnce<{ iid: number; title: string }[]>(
      `${base}/${kind}${queryOf({
        ...search,
        scope: 'all',
        order_by: 'updated_at',
        per_page: MAX_CHOICES,
      })}`,
    )
    return rows.map(({ iid, title }) => ({ text: `${sigil}${iid} `, label: `${sigil}${iid}`, detail: title }))
  }
}
