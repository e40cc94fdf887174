import { type Static, type TObject, Type } from 'typebox'

import { isRecord } from '../../../lib/is-record.js'
import { ApiError } from '../../http/errors.js'
import { readerFor } from '../../http/parameters/compile-parameters.js'
import { DateOnly, Nullable, NullableText, OneOf } from '../../http/parameters/types.js'
import { SourceRecordError } from '../errors.js'
import { MAX_PATH_LENGTH } from '../schema.js'

/** The records of the source, with the fields that are read; what other fields they have is ignored. */

const Id = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })
const Iid = Type.Integer({ minimum: 1 })
const Name = Type.String({ maxLength: 255 })
/** Indexes of PostgreSQL limit the length. */
const FullPath = Type.String({ minLength: 1, maxLength: MAX_PATH_LENGTH })
const Text = Type.Optional(Nullable(Type.String({ maxLength: 1_000_000 })))
const MaybeText = Type.Optional(NullableText)
const Flag = Type.Optional(Nullable(Type.Boolean()))
const Count = Type.Optional(Nullable(Type.Integer()))
const Time = Type.String({ maxLength: 40 })
const MaybeDay = Type.Optional(Nullable(DateOnly()))
const MaybeTime = Type.Optional(Nullable(Time))

const Person = Type.Object({ id: Id, username: Name, name: Type.Optional(Nullable(Name)) })
const MaybePerson = Type.Optional(Nullable(Person))
const People = Type.Optional(Nullable(Type.Array(Person, { maxItems: 200 })))
export type SourcePerson = Static<typeof Person>

/** `email` and `confirmed_at` are there for administrators of the source only. */
export const SourceUser = Type.Object({
  id: Id,
  email: MaybeText,
  confirmed_at: MaybeText,
  public_email: MaybeText,
})

export const SourceGroup = Type.Object({
  id: Id,
  name: Name,
  path: Name,
  full_path: FullPath,
  description: Text,
  visibility: OneOf('private', 'internal', 'public'),
})
export type SourceGroup = Static<typeof SourceGroup>

export const SourceProject = Type.Object({
  id: Id,
  name: Name,
  path: Name,
  path_with_namespace: FullPath,
  visibility: OneOf('private', 'internal', 'public'),
  empty_repo: Flag,
  http_url_to_repo: MaybeText,
})
export type SourceProject = Static<typeof SourceProject>

export const SourceLabel = Type.Object({
  id: Id,
  name: Name,
  color: Type.String({ maxLength: 100 }),
  description: Text,
  priority: Count,
  is_project_label: Flag,
})

export const SourceMilestone = Type.Object({
  id: Id,
  title: Name,
  description: Text,
  start_date: MaybeDay,
  due_date: MaybeDay,
  state: Type.Optional(OneOf('active', 'closed')),
})

export const SourceMember = Type.Object({
  id: Id,
  username: Name,
  name: Type.Optional(Nullable(Name)),
  access_level: Type.Integer(),
  expires_at: MaybeDay,
})
export type SourceMember = Static<typeof SourceMember>

const TimeStats = Type.Optional(Type.Object({ time_estimate: Count, total_time_spent: Count }))

const planned = {
  id: Id,
  iid: Iid,
  title: Type.String({ maxLength: 1024 }),
  description: Text,
  created_at: Time,
  updated_at: Time,
  closed_at: MaybeTime,
  closed_by: MaybePerson,
  labels: Type.Optional(Type.Array(Type.String({ maxLength: 255 }), { maxItems: 2000 })),
  milestone: Type.Optional(Nullable(Type.Object({ title: Name }))),
  author: MaybePerson,
  assignees: People,
  discussion_locked: Flag,
  user_notes_count: Count,
  time_stats: TimeStats,
}

export const SourceIssue = Type.Object({
  ...planned,
  state: OneOf('opened', 'closed'),
  issue_type: MaybeText,
  confidential: Flag,
  due_date: MaybeText,
  weight: Count,
})
export type SourceIssue = Static<typeof SourceIssue>

export const SourceMergeRequest = Type.Object({
  ...planned,
  state: OneOf('opened', 'closed', 'merged', 'locked'),
  source_branch: Type.String({ minLength: 1, maxLength: 255 }),
  target_branch: Type.String({ minLength: 1, maxLength: 255 }),
  source_project_id: Type.Optional(Nullable(Id)),
  target_project_id: Type.Optional(Nullable(Id)),
  reviewers: People,
  squash: Flag,
  force_remove_source_branch: Flag,
  merge_status: MaybeText,
  sha: MaybeText,
  merge_commit_sha: MaybeText,
  squash_commit_sha: MaybeText,
  merged_at: MaybeTime,
  merged_by: MaybePerson,
  merge_user: MaybePerson,
})
export type SourceMergeRequest = Static<typeof SourceMergeRequest>

export const SourceVersion = Type.Object({
  head_commit_sha: Type.String({ maxLength: 64 }),
  start_commit_sha: Type.String({ maxLength: 64 }),
  created_at: Time,
})

const Note = Type.Object({
  id: Id,
  type: MaybeText,
  body: Type.String({ maxLength: 1_000_000 }),
  author: MaybePerson,
  created_at: Time,
  updated_at: Time,
  system: Flag,
  internal: Flag,
  confidential: Flag,
  resolved: Flag,
  resolved_by: MaybePerson,
  resolved_at: MaybeTime,
  position: Type.Optional(Nullable(Type.Record(Type.String(), Type.Unknown()))),
})
export type SourceNote = Static<typeof Note>

export const SourceDiscussion = Type.Object({
  id: Type.String({ maxLength: 255 }),
  notes: Type.Array(Note, { maxItems: 10_000 }),
})
export type SourceDiscussion = Static<typeof SourceDiscussion>

export const SourceRelease = Type.Object({
  tag_name: Type.String({ minLength: 1, maxLength: 255 }),
  name: MaybeText,
  description: Text,
  released_at: MaybeTime,
  author: MaybePerson,
  milestones: Type.Optional(Nullable(Type.Array(Type.Object({ title: Name }), { maxItems: 100 }))),
  assets: Type.Optional(
    Type.Object({
      links: Type.Optional(
        Type.Array(Type.Object({ name: Name, url: Type.String({ maxLength: 2048 }), link_type: MaybeText }), {
          maxItems: 1000,
        }),
      ),
    }),
  ),
})

export const SourceSchedule = Type.Object({
  id: Id,
  description: Type.String({ maxLength: 255 }),
  ref: Type.String({ maxLength: 1024 }),
  cron: Type.String({ maxLength: 255 }),
  cron_timezone: MaybeText,
})

/** Without its value, which is never read. */
export const SourceVariable = Type.Object({
  key: Name,
  variable_type: MaybeText,
  protected: Flag,
  masked: Flag,
  hidden: Flag,
  raw: Flag,
  environment_scope: Type.Optional(Nullable(Name)),
})
export type SourceVariable = Static<typeof SourceVariable>

export const SourceRunner = Type.Object({ id: Id, description: MaybeText })

/** Reads a record of the source. Throws `SourceRecordError` for one of another shape. */
export function sourceReader<Schema extends TObject>(schema: Schema): (value: unknown) => Static<Schema> {
  const read = readerFor(schema)
  return (value) => {
    if (!isRecord(value)) throw new SourceRecordError('The source sent a record that is no object')
    try {
      return read(value)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      throw new SourceRecordError(`The source sent a record of another shape: ${problemIn(error)}`, {
        cause: error,
      })
    }
  }
}

/** The text of a refusal, for the report: `title can't be blank`. */
export function problemIn({ body }: ApiError): string {
  const [value] = Object.values(body)
  const text = isRecord(value)
    ? Object.entries(value).map(([field, problems]) => `${field} ${[problems].flat().join(', ')}`)
    : [typeof value === 'string' ? value : JSON.stringify(body)]
  return text.join('; ').slice(0, 500)
}

/** What a record may be called that could not be read. */
export function nameIn(value: unknown): string | null {
  if (!isRecord(value)) return null
  const name = [value['title'], value['name'], value['key'], value['iid'], value['id']].find(
    (one) => typeof one === 'string' || typeof one === 'number',
  )
  return name === undefined ? null : String(name)
}
