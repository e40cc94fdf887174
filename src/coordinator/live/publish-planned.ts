import { groupBy } from '../../lib/group-by.js'
import type { User } from '../access/caller.js'
import type { DeletedInList, DeletedPlanned } from '../ci/signals/live-news.js'
import type { Database } from '../database/connect.js'
import { DISCUSSED, type DiscussedKind } from '../hosting/planned-changes.js'
import { visibleSnippets } from '../hosting/snippets/store.js'
import { visibleEpics } from '../planning/access/epic-access.js'
import { visibleIssues } from '../planning/access/visible-issues.js'
import { visibleMergeRequests } from '../planning/access/visible-merge-requests.js'
import type { Audiences } from './audience.js'
import type { GatheredChanges } from './changes.js'
import { type LiveEvent, liveEvent, resetOf } from './live-event.js'
import {
  findChangedPlanned,
  findGroupPaths,
  findPeopleOfPlanned,
  findPlacedPlanned,
  findProjectPaths,
  type PlacedPlanned,
  type PlannedKind,
} from './planned-store.js'
import { keyOf, type PlannedTopic, type TopicName } from './topics.js'

export interface PublishPlannedDeps extends Audiences {
  database: Database
  /** Topics of lists that streams have. */
  plannedTopics: () => PlannedTopic[]
}

/** If more records of a list change at once, one event asks its readers to read the list again. */
const MAX_ANNOUNCED = 50

type Visible = (
  database: Database,
  viewer: User | undefined,
  ids: readonly number[],
) => Promise<{ id: number }[]>

/** Those of the records with these IDs that a reader may see. */
const VISIBLE: Record<DiscussedKind, Visible> = {
  issue: visibleIssues,
  'merge-request': visibleMergeRequests,
  epic: visibleEpics,
  snippet: visibleSnippets,
}

const DISCUSSED_KINDS = Object.keys(DISCUSSED) as DiscussedKind[]

/** Publishes changed records with comments to those who still see them. */
export async function publishPlanned(deps: PublishPlannedDeps, changes: GatheredChanges): Promise<void> {
  await publishDeleted(deps, [...changes.deletedPlanned.values()])
  for (const kind of DISCUSSED_KINDS) {
    const ids = [...changes[DISCUSSED[kind].changes]]
    if (ids.length === 0) continue
    for (const id of ids) await publishTo(deps, { kind, id }, kind, [id])
    if (!isListed(kind)) continue
    await publishInLists(deps, kind, ids)
    await publishToPeople(deps, kind, ids)
  }
}

/** Whether there are topics of the lists of a kind, and events of it for those who take part. */
function isListed(kind: DiscussedKind): kind is PlannedKind {
  return kind === 'issue' || kind === 'merge-request'
}

/**
 * Who has the stream of a record might see it, and so did all who follow the list of a project, unless it was confidential.
 * Other lists are read again: nobody knows any more who might see it.
 */
async function publishDeleted(deps: PublishPlannedDeps, deleted: readonly DeletedPlanned[]): Promise<void> {
  for (const { kind, id } of deleted) deps.publish([keyOf({ kind, id })], deletionOf({ kind, id }))
  await publishDeletedInLists(deps, deleted.filter((each) => isListed(each.kind)) as DeletedInList[])
}

async function publishDeletedInLists(
  deps: PublishPlannedDeps,
  deleted: readonly DeletedInList[],
): Promise<void> {
  if (deleted.length === 0) return
  const projectIds = [...new Set(deleted.map(({ project_id }) => project_id))]
  const ofGroups = deps.plannedTopics().filter(({ of }) => of === 'group')
  const paths = await findGroupPaths(
    deps.database,
    ofGroups.map(({ id }) => id),
  )
  const projects =
    ofGroups.length === 0 ? new Map<number, string>() : await findProjectPaths(deps.database, projectIds)
  for (const { kind, id, project_id, confidential } of deleted) {
    const list = { kind: `${kind}s`, of: 'project', id: project_id } as const
    deps.publish([keyOf(list)], confidential ? resetOf(list) : deletionOf({ kind, id }))
    const placed = { id, project_id, confidential, full_path: projects.get(project_id) ?? '' }
    for (const topic of ofGroups) {
      if (topic.kind === list.kind && listed(topic, paths, [placed]).length > 0)
        deps.publish([keyOf(topic)], resetOf(topic))
    }
  }
}

function deletionOf({ kind, id }: Pick<DeletedPlanned, 'kind' | 'id'>): LiveEvent {
  return liveEvent(`${kind}-deleted`, { id }, { kind })
}

/** A query for each reader of the topic. */
async function publishTo(
  { database, audiencesOf }: PublishPlannedDeps,
  topic: TopicName,
  kind: DiscussedKind,
  ids: readonly number[],
): Promise<void> {
  for (const { viewer, publish } of audiencesOf(keyOf(topic))) {
    const seen = await VISIBLE[kind](database, viewer, ids)
    for (const event of eventsOf(kind, topic, seen)) publish(event)
  }
}

async function publishInLists(
  deps: PublishPlannedDeps,
  kind: PlannedKind,
  ids: readonly number[],
): Promise<void> {
  const topics = deps.plannedTopics().filter((topic) => topic.kind === `${kind}s`)
  if (topics.length === 0) return
  const placed = await findPlacedPlanned(deps.database, kind, ids)
  const ofGroups = topics.flatMap(({ of, id }) => (of === 'group' ? id : []))
  const paths = await findGroupPaths(deps.database, ofGroups)
  for (const topic of topics) {
    const inside = listed(topic, paths, placed)
    // All who follow a project may read what is not confidential: that takes no query for each of them.
    const isOpen = ({ confidential }: PlacedPlanned) => topic.of === 'project' && !confidential
    for (const event of eventsOf(kind, topic, inside.filter(isOpen))) deps.publish([keyOf(topic)], event)
    const others = inside.filter((each) => !isOpen(each))
    if (others.length > 0) await publishTo(deps, topic, kind, idsOf(others))
  }
}

/** Changes of a list after a time, in milliseconds, that the viewer may see. */
export async function plannedChangesSince(
  database: Database,
  topic: PlannedTopic,
  { changedAfter, viewer }: { changedAfter: number; viewer: User | undefined },
): Promise<LiveEvent[]> {
  const kind = topic.kind === 'issues' ? 'issue' : 'merge-request'
  const ids = await findChangedPlanned(database, kind, { changedAfter, limit: MAX_ANNOUNCED + 1 })
  if (ids.length === 0) return []
  if (ids.length > MAX_ANNOUNCED) return [resetOf(topic)]
  const paths = await findGroupPaths(database, topic.of === 'group' ? [topic.id] : [])
  const inside = listed(topic, paths, await findPlacedPlanned(database, kind, ids))
  return eventsOf(kind, topic, await VISIBLE[kind](database, viewer, idsOf(inside)))
}

function listed(
  { of, id }: PlannedTopic,
  paths: ReadonlyMap<number, string>,
  placed: readonly PlacedPlanned[],
): PlacedPlanned[] {
  if (of === 'project') return placed.filter(({ project_id }) => project_id === id)
  const path = paths.get(id)
  return placed.filter(({ full_path }) => path !== undefined && full_path.startsWith(`${path}/`))
}

/** Those who wrote a record, are assigned to it, or review it. */
async function publishToPeople(
  deps: PublishPlannedDeps,
  kind: PlannedKind,
  ids: readonly number[],
): Promise<void> {
  const people = await findPeopleOfPlanned(deps.database, kind, ids)
  for (const [userId, theirs] of groupBy(people, ({ user_id }) => user_id)) {
    const topic = { kind: 'me', id: userId } as const
    if (deps.has(keyOf(topic))) await publishTo(deps, topic, kind, idsOf(theirs))
  }
}

function eventsOf(kind: DiscussedKind, topic: TopicName, records: readonly { id: number }[]): LiveEvent[] {
  if (records.length > MAX_ANNOUNCED) return [resetOf(topic)]
  return records.map(({ id }) => liveEvent(kind, { id }, { kind: topic.kind }))
}

function idsOf(records: readonly { id: number }[]): number[] {
  return [...new Set(records.map(({ id }) => id))]
}
