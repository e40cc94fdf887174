import { isRefName } from '../../../git/names.js'
import { parseTagDate, parseTagMessage } from '../../../git/parse-tag-message.js'
import type { Project } from '../../access/caller.js'
import { presentCommitRecord } from '../../http/presenters/present-commit.js'
import { namePattern } from '../repositories/browse/name-pattern.js'
import type { Reading } from '../repositories/browse/reading.js'
import { listRefNames, nameSearch } from '../repositories/browse/ref-lists.js'
import { headOfRef } from '../repositories/head-of-ref.js'
import { logsDamage } from '../repositories/log-damage.js'
import type { PushDeps } from '../repositories/push/handle-push.js'
import { rulesOf } from '../repositories/push/ref-rules.js'
import { listProtectedRefs } from '../repositories/store.js'
import type { ListTags, Tag } from './schema.js'
import { releasesOfTags } from './store.js'

export interface TagDeps {
  pushes: PushDeps
  /** Public address without a trailing slash. */
  externalUrl: string
}

/** Maximum size of a tag object, in bytes; larger objects are ignored. */
const MAX_TAG_BYTES = 16 * 1024 * 1024

/** Tag names in the requested order; the latest updated first by default. Throws 400 for an invalid regular expression. */
export async function tagNames(
  reading: Reading,
  { order_by = 'updated', sort = 'desc', search, regex }: ListTags,
): Promise<string[]> {
  const isFound = nameSearch(search)
  const isMatched = namePattern(regex)
  return listRefNames(reading, 'tag', {
    order: order_by,
    isDescending: sort === 'desc',
    isWanted: (name) => isFound(name) && isMatched(name),
  })
}

/**
 * Records of the tags, in the order of `names`. Tags that do not point to a commit or were deleted in the meantime are left
 * out. A tag whose commit cannot be read gets a placeholder that says so, and is logged.
 */
export async function describeTags(
  { pushes, externalUrl }: TagDeps,
  project: Project,
  reading: Reading,
  names: string[],
): Promise<Tag[]> {
  const { database, repositories } = pushes
  const onDamage = logsDamage(pushes, project)
  const releases = await releasesOfTags(database, project.id, names)
  const rules = await listProtectedRefs(database, project.id, undefined)
  const tags: Tag[] = []
  for (const name of names) {
    const head = await headOfRef(reading, { repositories, project, kind: 'tag', name }, onDamage)
    if (!head) continue
    const { commit, isDamaged } = head
    const facts = isDamaged
      ? { message: null, target: commit.id, created_at: null }
      : await factsOf(reading, name)
    if (!facts) continue
    tags.push({
      name,
      ...facts,
      commit: presentCommitRecord(commit, `${externalUrl}/${project.full_path}`),
      release: releases.get(name) ?? null,
      protected: rulesOf(rules, 'tag', name).length > 0,
    })
  }
  return tags
}

type TagFacts = Pick<Tag, 'message' | 'target' | 'created_at'>

/** Facts of the ref itself; undefined if it does not exist. */
async function factsOf({ objects }: Reading, name: string): Promise<TagFacts | undefined> {
  const object = isRefName(name) ? await objects.read(`refs/tags/${name}`, MAX_TAG_BYTES) : undefined
  if (!object) return undefined
  if (object.type !== 'tag') return { message: null, target: object.id, created_at: null }
  const { id: target, content } = object
  return { message: parseTagMessage(content), target, created_at: parseTagDate(content) ?? null }
}
