import { humanDuration } from '../../../lib/working-time.js'
import type { Transaction } from '../../database/transaction.js'
import type { SystemNote } from './system-notes.js'

/** Notes of changes that issues and merge requests have in common. */

interface Named {
  id: number
  name: string
}

/** About a new title or description. */
export function titleNotes(
  was: { title: string; description: string | null },
  is: { title: string; description: string | null },
): SystemNote[] {
  const title = `changed title from ${inBold(was.title)} to ${inBold(is.title)}`
  return [
    ...(was.title === is.title ? [] : [{ action: 'title', body: title }]),
    ...((was.description ?? '') === (is.description ?? '')
      ? []
      : [{ action: 'description', body: 'changed the description' }]),
  ]
}

/** A title or name as it is, with emphasis, in Markdown. */
export function inBold(title: string): string {
  return `**${title.replace(/[\\*_`[\]<]/g, '\\$&')}**`
}

export function labelNotes(before: readonly Named[], after: readonly Named[]): SystemNote[] {
  const added = without(after, before).map(labelReference)
  const removed = without(before, after).map(labelReference)
  if (added.length === 0 && removed.length === 0) return []
  const texts = [
    ...(added.length > 0 ? [`added ${added.join(' ')} ${plural('label', added.length)}`] : []),
    ...(removed.length > 0 ? [`removed ${removed.join(' ')} ${plural('label', removed.length)}`] : []),
  ]
  return [{ action: 'label', body: texts.join(' and ') }]
}

function without(all: readonly Named[], others: readonly Named[]): Named[] {
  return all.filter(({ id }) => !others.some((other) => other.id === id))
}

function labelReference({ name }: Named): string {
  return /^[\w-]+$/.test(name) ? `~${name}` : `~"${name}"`
}

function plural(word: string, count: number): string {
  return count === 1 ? word : `${word}s`
}

export async function milestoneNotes(
  tx: Transaction,
  was: number | null,
  is: number | null,
): Promise<SystemNote[]> {
  if (was === is) return []
  if (is === null) return [{ action: 'milestone', body: 'removed milestone' }]
  const milestone = await tx.selectFrom('milestone').select('title').where('id', '=', is).executeTakeFirst()
  return [{ action: 'milestone', body: `changed milestone to %"${milestone?.title ?? is}"` }]
}

export async function assigneeNotes(
  tx: Transaction,
  before: readonly number[],
  after: readonly number[],
): Promise<SystemNote[]> {
  return peopleNotes(
    tx,
    { before, after },
    { action: 'assignee', added: 'assigned to', removed: 'unassigned' },
  )
}

export async function reviewerNotes(
  tx: Transaction,
  before: readonly number[],
  after: readonly number[],
): Promise<SystemNote[]> {
  const words = { action: 'reviewer', added: 'requested review from', removed: 'removed review request for' }
  return peopleNotes(tx, { before, after }, words)
}

async function peopleNotes(
  tx: Transaction,
  { before, after }: { before: readonly number[]; after: readonly number[] },
  { action, added, removed }: { action: string; added: string; removed: string },
): Promise<SystemNote[]> {
  const come = await mentions(
    tx,
    after.filter((id) => !before.includes(id)),
  )
  const gone = await mentions(
    tx,
    before.filter((id) => !after.includes(id)),
  )
  if (come === '' && gone === '') return []
  const texts = [...(come === '' ? [] : [`${added} ${come}`]), ...(gone === '' ? [] : [`${removed} ${gone}`])]
  return [{ action, body: texts.join(' and ') }]
}

async function mentions(tx: Transaction, ids: readonly number[]): Promise<string> {
  if (ids.length === 0) return ''
  const users = await tx.selectFrom('user').select(['id', 'username']).where('id', 'in', ids).execute()
  const names = ids.flatMap((id) =>
    users.filter((user) => user.id === id).map(({ username }) => `@${username}`),
  )
  return names.join(' ')
}

interface Timed {
  time_estimate: number
  total_time_spent: number
}

export function timeNotes(was: Timed, is: Timed): SystemNote[] {
  const spent = is.total_time_spent - was.total_time_spent
  return [
    ...(was.time_estimate === is.time_estimate
      ? []
      : [
          {
            action: 'time_tracking',
            body:
              is.time_estimate === 0
                ? 'removed time estimate'
                : `changed time estimate to ${humanDuration(is.time_estimate)}`,
          },
        ]),
    ...(spent === 0 ? [] : [{ action: 'time_tracking', body: spentText(spent, is.total_time_spent) }]),
  ]
}

function spentText(spent: number, total: number): string {
  if (total === 0) return 'removed time spent'
  return spent > 0
    ? `added ${humanDuration(spent)} of time spent`
    : `subtracted ${humanDuration(-spent)} from time spent`
}
