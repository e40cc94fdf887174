import type { Person } from '../../support/test-app.js'

type Get = <T>(route: string, body?: object, as?: Person) => Promise<T>

const EVENTS = ['resource_state_events', 'resource_label_events', 'resource_milestone_events']
const COMMON = ['award_emoji', 'notes?sort=asc', 'discussions', ...EVENTS]

const PARTS = {
  issues: [...COMMON, 'links', 'participants', 'time_stats', 'closed_by', 'related_merge_requests'],
  merge_requests: [
    ...COMMON,
    'closes_issues',
    'related_issues',
    'participants',
    'versions',
    'approvals',
    'time_stats',
  ],
}

/** What the API says of the issues and merge requests of a project, by path, without what names rows of a coordinator. */
export async function planningRecords(
  ok: Get,
  projectId: number,
  as: Person,
): Promise<Record<string, unknown>> {
  const records: Record<string, unknown> = {}
  for (const [kind, parts] of Object.entries(PARTS)) {
    const listed = `${kind}?scope=all&state=all&per_page=100`
    const list = await ok<{ iid: number }[]>(`GET /projects/${projectId}/${listed}`, undefined, as)
    for (const { iid } of list) {
      for (const part of ['', ...parts.map((name) => `/${name}`)]) {
        const path = `${kind}/${iid}${part}`
        records[path] = comparable(await ok(`GET /projects/${projectId}/${path}`, undefined, as))
      }
      const notes = await ok<{ id: number }[]>(
        `GET /projects/${projectId}/${kind}/${iid}/notes?sort=asc&per_page=100`,
        undefined,
        as,
      )
      for (const [at, { id }] of notes.entries()) {
        const emoji = await ok(
          `GET /projects/${projectId}/${kind}/${iid}/notes/${id}/award_emoji`,
          undefined,
          as,
        )
        records[`${kind}/${iid}: emoji of note ${at}`] = comparable(emoji)
      }
    }
  }
  const branches = await ok<object[]>(`GET /projects/${projectId}/repository/branches`, undefined, as)
  const ofCommits = branches.length > 0 ? ['repository/commits/main/discussions'] : []
  for (const path of ['approvals', ...ofCommits]) {
    records[path] = comparable(await ok(`GET /projects/${projectId}/${path}`, undefined, as))
  }
  return records
}

const IDS = new Set([
  ...['id', 'project_id', 'target_project_id', 'source_project_id', 'resource_id', 'awardable_id'],
  ...['noteable_id', 'issue_link_id', 'merge_request_id', 'web_url', 'references', '_links', 'avatar_url'],
])
/** Links are created by the import. */
const IMPORT_TIMES = new Set(['link_created_at', 'link_updated_at'])

function comparable(record: unknown): unknown {
  if (Array.isArray(record)) return record.map(comparable)
  if (typeof record !== 'object' || record === null) return record
  // A milestone is created by the import.
  if ('due_date' in record && 'expired' in record && 'title' in record) return record.title
  // The ID of a discussion is kept.
  const isKept = (name: string) => !IMPORT_TIMES.has(name) && (!IDS.has(name) || 'individual_note' in record)
  const fields = Object.entries(record).filter(([name]) => isKept(name))
  return Object.fromEntries(fields.map(([name, value]) => [name, comparable(value)]))
}
