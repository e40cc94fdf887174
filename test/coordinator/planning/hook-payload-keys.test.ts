import { expect, test } from 'vitest'

import { describeOnDatabase } from '../../support/databases.js'
import { sceneForFile } from '../../support/scene-for-file.js'
import { openMergeRequestScene } from './merge-requests/scene.js'

const openScene = sceneForFile(openMergeRequestScene)

const words = (text: string): string[] => text.trim().split(/\s+/)

const TIMES = words(`total_time_spent time_change time_estimate human_total_time_spent human_time_change
  human_time_estimate`)
const ISSUE = words(`author_id closed_at confidential created_at description discussion_locked due_date id iid
  last_edited_at last_edited_by_id milestone_id moved_to_id duplicated_to_id project_id relative_position state_id title
  updated_at updated_by_id weight url assignee_ids assignee_id labels state severity type`).concat(TIMES)
const MERGE_REQUEST =
  words(`assignee_id author_id created_at description head_pipeline_id id iid last_edited_at
  last_edited_by_id merge_commit_sha merge_error merge_params merge_status merge_user_id merge_when_pipeline_succeeds
  milestone_id source_branch source_project_id state_id target_branch target_project_id title updated_at updated_by_id
  prepared_at url source target last_commit work_in_progress draft assignee_ids reviewer_ids labels state
  blocking_discussions_resolved first_contribution detailed_merge_status`).concat(TIMES)
const NOTE =
  words(`attachment author_id change_position commit_id created_at discussion_id id line_code note noteable_id
  noteable_type original_position position project_id resolved_at resolved_by_id resolved_by_push st_diff system type
  updated_at updated_by_id description url`)
const EMOJI = words(`user_id created_at id name awardable_type awardable_id updated_at action awarded_on_url`)
const MILESTONE = words(
  `id iid title description state created_at updated_at due_date start_date group_id project_id`,
)

/** Keys of the payloads of events (API, K5): of the payload itself, and of the objects in it. */
const KEYS: Record<string, Record<string, string[]>> = {
  issue: {
    '': words('object_kind event_type user project object_attributes labels changes repository'),
    object_attributes: [...ISSUE, 'action'],
  },
  merge_request: {
    '': words('object_kind event_type user project object_attributes labels changes repository'),
    object_attributes: [...MERGE_REQUEST, 'action'],
  },
  note: {
    '': words('object_kind event_type user project_id project object_attributes repository merge_request'),
    object_attributes: [...NOTE, 'action'],
    merge_request: MERGE_REQUEST,
  },
  emoji: {
    '': words('object_kind event_type user project_id project object_attributes note merge_request'),
    object_attributes: EMOJI,
    note: NOTE,
    merge_request: MERGE_REQUEST,
  },
  feature_flag: {
    '': words('object_kind project user user_url object_attributes'),
    project: words(`id name description web_url avatar_url git_ssh_url git_http_url namespace visibility_level
      path_with_namespace default_branch ci_config_path homepage url ssh_url http_url`),
    user: words('id name username avatar_url email'),
    object_attributes: words('id name description active'),
  },
  milestone: {
    '': words('object_kind event_type project object_attributes action'),
    object_attributes: MILESTONE,
  },
}

describeOnDatabase('a webhook', (open) => {
  test('receives every documented key of each event of planning and of feature flags', async () => {
    const { ok, make, P, database, services } = await openScene(open)
    const kinds = ['issues', 'merge_requests', 'note', 'emoji', 'milestone', 'feature_flag']
    const flags = Object.fromEntries(kinds.map((kind) => [`${kind}_events`, true]))
    await ok(`POST ${P}/hooks`, { url: 'https://a.example', push_events: false, ...flags })
    await ok(`POST ${P}/issues`, { title: 'A' })
    await make({})
    const note = await ok(`POST ${P}/merge_requests/1/notes`, { body: 'Hello' })
    await ok(`POST ${P}/merge_requests/1/notes/${note.id}/award_emoji`, { name: 'tada' })
    await ok(`POST ${P}/milestones`, { title: 'v1' })
    await ok(`POST ${P}/feature_flags`, { name: 'menu', active: false })
    await ok(`PUT ${P}/feature_flags/menu`, { active: true })
    const events = await database.selectFrom('hook_event').selectAll().orderBy('id').execute()
    const payloads = await Promise.all(events.map(services.deliveries.render))
    const missing = Object.entries(KEYS).flatMap(([kind, objects]) =>
      Object.entries(objects).flatMap(([object, keys]) => {
        const payload = new Map(Object.entries(payloads[events.findIndex((one) => one.kind === kind)] ?? {}))
        const of: unknown = object === '' ? Object.fromEntries(payload) : payload.get(object)
        return keys
          .filter((key) => !Object.keys(of ?? {}).includes(key))
          .map((key) => [kind, object, key].join(' '))
      }),
    )
    expect(missing).toEqual([])
  })
})
