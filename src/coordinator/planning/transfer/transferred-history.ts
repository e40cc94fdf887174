import { type Static, Type } from 'typebox'

import type { Database } from '../../database/connect.js'
import type { ResourceEventAction, ResourceEventKind } from '../../database/tables/resource-events.js'
import type { Transaction } from '../../database/transaction.js'
import { milestonesForProject } from '../../hosting/milestone-store.js'
import type { TransferTarget } from '../../http/archive-part.js'
import { apiError } from '../../http/errors.js'
import { described, optional } from '../../http/parameters/described.js'
import { DateTime, Nullable, OneOf } from '../../http/parameters/types.js'
import { isoTime } from '../../http/presenters/present-time.js'
import { insertResourceEvents } from '../../integrations/resource-event-log/store.js'
import { findOrCreateLabels, MAX_NAME_LENGTH } from '../stores/label-store.js'
import { emojiField, emojiOf, writeEmoji } from './transferred-emoji.js'
import { type People, Username } from './transferred-people.js'

const CreatedAt = described(DateTime(), 'Time of the change.')
const By = described(Username, 'Username of the user who made the change.')
const AddOrRemove = described(OneOf('add', 'remove'), 'What was done.')
const LabelName = Type.String({ maxLength: MAX_NAME_LENGTH })

/** Fields of the records of issues and merge requests in archives: what users did with them. */
export const historyFields = {
  state_events: optional(
    Type.Array(
      Type.Object({
        action: described(OneOf('closed', 'reopened', 'merged'), 'New state.'),
        user: optional(By, 'Username of the user who made the change.'),
        created_at: CreatedAt,
      }),
    ),
    'Changes of the state.',
  ),
  label_events: optional(
    Type.Array(
      Type.Object({
        action: AddOrRemove,
        label: described(Nullable(LabelName), 'Name of the label; null if it was deleted.'),
        user: By,
        created_at: CreatedAt,
      }),
    ),
    'Changes of the labels.',
  ),
  milestone_events: optional(
    Type.Array(
      Type.Object({
        action: AddOrRemove,
        milestone: described(Nullable(Type.String()), 'Title of the milestone; null if it was deleted.'),
        user: By,
        created_at: CreatedAt,
      }),
    ),
    'Changes of the milestone.',
  ),
  ...emojiField,
}

const History = Type.Object(historyFields)
export type History = Static<typeof History>

type OwnerTable = 'issue' | 'merge_request'

const COLUMNS = { issue: 'issue_id', merge_request: 'merge_request_id' } as const

/** The history of each of some issues or merge requests, by ID. */
export async function historiesOf(
  database: Database,
  table: OwnerTable,
  ids: readonly number[],
): Promise<Map<number, Required<History>>> {
  const histories = new Map(ids.map((id) => [id, emptyHistory()]))
  const column = COLUMNS[table]
  const events = await database
    .selectFrom('resource_event')
    .innerJoin('user', 'user.id', 'resource_event.user_id')
    .leftJoin('label', 'label.id', 'resource_event.label_id')
    .leftJoin('milestone', 'milestone.id', 'resource_event.milestone_id')
    .select([`resource_event.${column} as owner_id`, 'resource_event.kind'])
    .select(['resource_event.action', 'user.username'])
    .select(['label.name as label', 'milestone.title as milestone', 'resource_event.created_at'])
    .where(`resource_event.${column}`, 'in', ids)
    .orderBy('resource_event.id')
    .execute()
  for (const event of events) addEvent(histories.get(event.owner_id ?? 0), event)
  for (const [id, emoji] of await emojiOf(database, table, ids)) histories.get(id)?.award_emoji.push(...emoji)
  return histories
}

export function emptyHistory(): Required<History> {
  return { state_events: [], label_events: [], milestone_events: [], award_emoji: [] }
}

interface ReadEvent {
  kind: ResourceEventKind
  action: ResourceEventAction
  username: string
  label: string | null
  milestone: string | null
  created_at: number
}

function addEvent(history: Required<History> | undefined, event: ReadEvent): void {
  const { kind, action, username: user, label, milestone } = event
  const at = { user, created_at: isoTime(event.created_at) }
  if (kind === 'state') {
    if (action === 'closed' || action === 'reopened' || action === 'merged') {
      history?.state_events.push({ action, ...at })
    }
  } else if (action === 'add' || action === 'remove') {
    if (kind === 'label') history?.label_events.push({ action, label, ...at })
    else history?.milestone_events.push({ action, milestone, ...at })
  }
}

/** Usernames in a history. */
export function namesInHistory(history: History): (string | undefined)[] {
  const { state_events = [], label_events = [], milestone_events = [], award_emoji = [] } = history
  return [...state_events, ...label_events, ...milestone_events, ...award_emoji].map(({ user }) => user)
}

/**
 * Writes the history of an issue or merge request that `tx` has created. Changes of unknown users are those of the
 * importer. Throws 400 for a name that is no emoji.
 */
export async function writeHistory(
  tx: Transaction,
  { project, importer }: TransferTarget,
  owner: { table: OwnerTable; id: number },
  history: History,
  people: People,
): Promise<void> {
  const { state_events = [], label_events = [], milestone_events = [], award_emoji = [] } = history
  const labels = await labelIds(tx, project.id, label_events)
  const milestones = await milestoneIds(tx, project.id, milestone_events)
  const common = ({ user, created_at }: { user?: string; created_at: string }) => ({
    issue_id: owner.table === 'issue' ? owner.id : null,
    merge_request_id: owner.table === 'merge_request' ? owner.id : null,
    user_id: people.get(user ?? '') ?? importer.id,
    label_id: null,
    milestone_id: null,
    created_at: Date.parse(created_at),
  })
  await insertResourceEvents(tx, [
    ...state_events.map((event) => ({ ...common(event), kind: 'state' as const, action: event.action })),
    ...label_events.map((event) => ({
      ...common(event),
      kind: 'label' as const,
      action: event.action,
      label_id: labels.get(event.label ?? '') ?? null,
    })),
    ...milestone_events.map((event) => ({
      ...common(event),
      kind: 'milestone' as const,
      action: event.action,
      milestone_id: milestones.get(event.milestone ?? '') ?? null,
    })),
  ])
  await writeEmoji(tx, owner, award_emoji, people)
}

async function labelIds(
  tx: Transaction,
  projectId: number,
  events: NonNullable<History['label_events']>,
): Promise<Map<string, number>> {
  const names = distinct(events.map(({ label }) => label?.trim()))
  const ids = await findOrCreateLabels(tx, projectId, names, { mayCreate: true })
  return new Map(names.flatMap((name, index) => pair(name, ids[index])))
}

/** Databases limit the number of values in a query. */
const MAX_TITLES = 10_000

async function milestoneIds(
  tx: Transaction,
  projectId: number,
  events: NonNullable<History['milestone_events']>,
): Promise<Map<string, number>> {
  const titles = distinct(events.map(({ milestone }) => milestone))
  if (titles.length === 0) return new Map()
  if (titles.length > MAX_TITLES) throw apiError('imported_milestones_too_many')
  const milestones = await milestonesForProject(tx, projectId, { titles })
  return new Map(milestones.toReversed().map(({ title, id }) => [title, id]))
}

function distinct(names: (string | null | undefined)[]): string[] {
  return [...new Set(names.filter((name) => typeof name === 'string' && name !== ''))] as string[]
}

function pair(name: string, id: number | undefined): [string, number][] {
  return id === undefined ? [] : [[name, id]]
}
