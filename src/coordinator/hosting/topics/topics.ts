import type { Updateable } from 'kysely'

import type { User } from '../../access/caller.js'
import type { Viewer } from '../../access/visibility.js'
import type { Database } from '../../database/connect.js'
import type { TopicTable } from '../../database/tables/topics.js'
import { inTransaction } from '../../database/transaction.js'
import { isUniqueViolation } from '../../database/unique-violation.js'
import { checkRoom } from '../../http/check-room.js'
import { apiError, invalidRecord, notFound } from '../../http/errors.js'
import { checkAvatar, replaceAvatar } from '../avatars/avatar-parameter.js'
import type { Avatars } from '../avatars/avatars.js'
import type { GivenImage } from '../avatars/image-format.js'
import {
  type CountedTopic,
  deleteTopicRow,
  findTopic,
  insertTopic,
  moveProjects,
  topicNamed,
  type TopicRow,
  updateTopic,
} from '../topic-store.js'
import type { EditTopic, MergeTopics, NewTopic } from './schema.js'

export interface TopicDeps {
  database: Database
  avatars: Avatars
  externalUrl: string
}

/** Those that only projects have added count, too, but are not refused. */
const MAX_TOPICS = 10_000

/** Throws 404 for a topic that the viewer does not see. */
export async function requireTopic(database: Database, viewer: Viewer, id: number): Promise<CountedTopic> {
  const topic = await findTopic(database, viewer, id)
  if (!topic) throw notFound('Topic')
  return topic
}

/** Throws 400 for a name that is invalid or taken, an unsuitable avatar, and too many topics. */
export async function createTopic(
  deps: TopicDeps,
  { name, title, description, avatar }: NewTopic,
  user: User,
): Promise<CountedTopic> {
  const { database } = deps
  const texts = trimmed({ name, title })
  refuseTexts(texts)
  await checkAvatar(deps.avatars, avatar)
  await checkRoom(database.selectFrom('topic'), { most: MAX_TOPICS, what: 'topics' })
  const now = Date.now()
  const times = { created_at: now, updated_at: now }
  const image = { avatar_name: null, avatar_key: null }
  const values = { ...texts, description: description || null, is_curated: true, ...image, ...times }
  const topic = await insertTopic(database, values)
  if (!topic) throw nameTaken()
  await changeAvatar(deps, topic, avatar)
  return requireTopic(database, user, topic.id)
}

/** Changes what is given. A new name is that of its projects, too. Throws as `createTopic`, and 404. */
export async function editTopic(
  deps: TopicDeps,
  { id, name, title, description, avatar }: EditTopic,
  user: User,
): Promise<CountedTopic> {
  const { database } = deps
  const before = await requireTopic(database, user, id)
  const texts = trimmed({ name, title })
  refuseTexts(texts)
  await checkAvatar(deps.avatars, avatar)
  const other = texts.name === undefined ? undefined : await topicNamed(database, texts.name)
  if (other && other.id !== id) throw nameTaken()
  const changes = { ...texts, ...(description !== undefined && { description: description || null }) }
  const topic = await changeTopic(database, before, changes)
  if (!topic) throw notFound('Topic')
  await changeAvatar(deps, topic, avatar)
  return requireTopic(database, user, id)
}

/** Undefined if it was deleted. Throws 400 for a name that another request has taken. */
async function changeTopic(
  database: Database,
  before: TopicRow,
  changes: Updateable<TopicTable>,
): Promise<TopicRow | undefined> {
  try {
    return await inTransaction(database, async (tx) => {
      const row = await updateTopic(tx, before.id, { ...changes, is_curated: true, updated_at: Date.now() })
      if (row && row.name !== before.name) await moveProjects(tx, before.name, row.name)
      return row
    })
  } catch (error) {
    throw isUniqueViolation(error) ? nameTaken() : error
  }
}

/** Deletes the topic, also from its projects. Throws 404. */
export async function deleteTopic({ database, avatars }: TopicDeps, id: number, user: User): Promise<void> {
  const topic = await requireTopic(database, user, id)
  await inTransaction(database, (tx) => deleteTopicRow(tx, topic))
  await avatars.deleteOf({ kind: 'topic', id })
}

/** Gives the projects of one topic another one, and deletes the first. Throws 400 for one topic, and 404. */
export async function mergeTopics(
  { database, avatars }: TopicDeps,
  { source_topic_id, target_topic_id }: MergeTopics,
  user: User,
): Promise<CountedTopic> {
  const source = await requireTopic(database, user, source_topic_id)
  const target = await requireTopic(database, user, target_topic_id)
  if (source.id === target.id) throw apiError('topics_identical')
  await inTransaction(database, async (tx) => {
    await moveProjects(tx, source.name, target.name)
    await deleteTopicRow(tx, source)
  })
  await avatars.deleteOf({ kind: 'topic', id: source.id })
  return requireTopic(database, user, target.id)
}

/** Null deletes the avatar, undefined keeps it. */
async function changeAvatar(
  { database, avatars }: TopicDeps,
  { id, avatar_key: key }: TopicRow,
  image: GivenImage | null | undefined,
): Promise<void> {
  if (image === undefined) return
  await replaceAvatar(avatars, { kind: 'topic', id, key }, image, async (avatar) => {
    const changes = { avatar_name: avatar?.name ?? null, avatar_key: avatar?.key ?? null }
    if (!(await updateTopic(database, id, changes))) throw notFound('Topic')
  })
}

interface Texts {
  name?: string | undefined
  title?: string | undefined
}

function trimmed<Given extends Texts>({ name, title, ...others }: Given): Given {
  const texts = {
    ...(name !== undefined && { name: name.trim() }),
    ...(title !== undefined && { title: title.trim() }),
  }
  return { ...others, ...texts } as Given
}

/** Throws 400. */
function refuseTexts(texts: Texts): void {
  const problems: Record<string, string[]> = {}
  for (const [name, value] of Object.entries(texts)) if (value === '') problems[name] = ["can't be blank"]
  // Lists of topics are written with commas.
  if (texts.name?.includes(',')) problems['name'] = ["can't include commas"]
  if (Object.keys(problems).length > 0) throw invalidRecord(problems)
}

function nameTaken() {
  return invalidRecord({ name: ['has already been taken'] })
}
