import { describe, expect, test } from 'vitest'

import {
  ALL_TRIGGERS,
  type AnyTrigger,
  HOOK_TRIGGERS,
  type HookTrigger,
} from '../../../../src/coordinator/database/tables/webhooks.js'
import { listOperations } from '../../../../src/coordinator/start/operations/operations.js'
import { openForFile } from '../../../support/lifetime.js'
import { HookReceiver } from '../../ci/signals/hook-receiver.js'
import { addPerson } from '../../support/test-app.js'
import { openTestApp, openTestServices } from '../../support/test-coordinator.js'

/** What the payload of a test says about its event; null for an event that is never sent. */
const KINDS: Record<HookTrigger, string | null> = {
  push_events: 'push',
  tag_push_events: 'tag_push',
  issues_events: 'issue',
  confidential_issues_events: 'issue',
  merge_requests_events: 'merge_request',
  note_events: 'note',
  confidential_note_events: 'note',
  job_events: 'build',
  pipeline_events: 'pipeline',
  wiki_page_events: 'wiki_page',
  deployment_events: 'deployment',
  releases_events: 'release',
  feature_flag_events: 'feature_flag',
  milestone_events: 'milestone',
  emoji_events: 'emoji',
  resource_access_token_events: null,
  repository_update_events: 'repository_update',
}
const KINDS_OF_GROUPS: Record<AnyTrigger, string | null> = {
  ...KINDS,
  member_events: 'user_add_to_group',
  subgroup_events: 'subgroup_create',
  project_events: 'project_create',
}

interface Made {
  id: number
  iid: number
}

const CI_FILE = 'build: { script: make }\nship: { script: make, environment: prod }'

interface Made {
  id: number
  iid: number
}

/** A group with a subgroup and a project that has a record of each kind, and a server that receives events. */
async function openScene() {
  const receiver = await HookReceiver.start()
  const services = await openTestServices({ settings: { egress: { allowLocalNetwork: true } } })
  const app = openTestApp(services, { operations: listOperations })
  const root = await addPerson(services.database, 'root', { admin: true })
  const call = (route: string, body?: object) => app.call(root, route, body)
  const make = async (path: string, body: object = {}): Promise<Made> => {
    const response = await call(`POST ${path}`, body)
    expect(response.statusCode, `${path}: ${response.body}`).toBe(201)
    return response.json()
  }
  const group = await make('/groups', { name: 'Team', path: 'team' })
  await make('/groups', { name: 'Below', path: 'below', parent_id: group.id })
  const project = await make('/projects', {
    name: 'app',
    namespace_id: group.id,
    initialize_with_readme: true,
  })
  const P = `/projects/${project.id}`
  await make(`${P}/repository/files/.gitlab-ci.yml`, {
    branch: 'main',
    content: CI_FILE,
    commit_message: 'Add a CI file',
  })
  await make(`${P}/pipeline`, { ref: 'main' })
  await make(`${P}/releases`, { tag_name: 'v1', ref: 'main' })
  await make(`${P}/wikis`, { title: 'home', content: 'x' })
  await make(`${P}/milestones`, { title: 'v1' })
  await make(`${P}/feature_flags`, { name: 'menu' })
  await make(`${P}/issues`, { title: 'a' })
  await make(`${P}/issues/1/notes`, { body: 'x' })
  await make(`${P}/issues/1/award_emoji`, { name: 'tada' })
  await make(`${P}/issues`, { title: 'b', confidential: true })
  await make(`${P}/issues/2/notes`, { body: 'x' })
  await make(`${P}/repository/branches`, { branch: 'feature', ref: 'main' })
  await make(`${P}/merge_requests`, { title: 'a', source_branch: 'feature', target_branch: 'main' })
  return { receiver, call, make, P, G: `/groups/${group.id}` }
}

const shared = openForFile(openScene)

describe.each([
  ['project', HOOK_TRIGGERS, KINDS],
  ['group', ALL_TRIGGERS, KINDS_OF_GROUPS],
] as const)('a test of the webhook of a %s', (owner, triggers, kinds: Record<string, string | null>) => {
  test.each(triggers.filter((trigger) => kinds[trigger] !== null))(
    'sends an event of %s',
    async (trigger) => {
      const { receiver, call, make, P, G } = shared()
      const at = owner === 'project' ? P : G
      const { id } = await make(`${at}/hooks`, { url: `${receiver.url}/${owner}/${trigger}` })
      const tested = await call(`POST ${at}/hooks/${id}/test/${trigger}`)
      expect([tested.statusCode, tested.json()]).toEqual([201, { message: '201 Created' }])
      const bodies = receiver.received.filter(({ path }) => path === `/${owner}/${trigger}`)
      expect(bodies.map(({ body }) => body.object_kind ?? body.event_name)).toEqual([kinds[trigger]])
    },
  )
})

test.each(['project', 'group'])(
  'a test of the webhook of a %s with an event that is never sent says so',
  async (owner) => {
    const { call, make, P, G } = shared()
    const at = owner === 'project' ? P : G
    const { id } = await make(`${at}/hooks`, { url: 'https://hooks.example.com' })
    const tested = await call(`POST ${at}/hooks/${id}/test/resource_access_token_events`)
    expect(tested.statusCode).toBe(422)
    expect(tested.json()).toEqual({ message: 'Ensure the project has access tokens about to expire.' })
  },
)
