import { describe, expect, it } from 'vitest'

import { entityHref, targetHref } from '../../src/web/records/audit-links.js'
import { auditWords } from '../../src/web/records/audit-words.js'
import { pastTense } from '../../src/web/records/past-tense.js'

const event = (details: Record<string, unknown>) => ({
  id: 1,
  author_id: 5,
  entity_id: 7,
  entity_type: 'Project',
  details,
  created_at: '2026-01-01T00:00:00Z',
})

describe('an audit event in words', () => {
  it('says who changed what from which value to which', () => {
    const details = {
      change: 'visibility',
      from: 'Private',
      to: 'Public',
      custom_message: 'Update a project',
      author_name: 'Ada',
      as_user: 'Bob',
      ip_address: '10.0.0.7',
      target_details: 'app',
      target_type: 'Project',
      entity_path: 'group/app',
    }
    expect(auditWords(event(details))).toEqual({
      author: 'Ada',
      asUser: 'Bob',
      address: '10.0.0.7',
      action: 'Updated a project',
      asRole: undefined,
      attribute: 'visibility',
      change: { from: 'Private', to: 'Public' },
      target: 'app',
      targetType: 'Project',
      entity: 'group/app',
    })
  })

  it.each([
    [{ failed_login: 'STANDARD' }, { action: 'Refused sign-in', author: 'user 5' }],
    [
      { add: 'deploy_key', entity_path: 'group/app' },
      { action: 'Added deploy key', target: 'group/app' },
    ],
    [{ remove: 'branch', target_id: 'topic', entity_path: 'group/app' }, { target: 'topic' }],
    [{ target_id: 7, entity_path: 'group/app' }, { target: 'group/app' }],
    [
      { target_id: 'TOKEN', target_details: 'Reads packages', target_type: 'Variable' },
      { target: 'TOKEN', targetType: 'Variable' },
    ],
    [{ change: 'archived', from: false, to: true }, { change: { from: 'no', to: 'yes' } }],
    [{ change: 'name', from: null, to: 'new' }, { change: { from: 'nothing', to: 'new' } }],
    [
      { change: 'session_expire_delay', from: 10_080, to: 90 },
      { change: { from: '1 week', to: '1 hour 30 minutes' } },
    ],
    [
      { change: 'maximum_timeout', from: null, to: 3601 },
      { change: { from: 'nothing', to: '1 hour 1 second' } },
    ],
    [{ change: 'deletion_adjourned_period', from: 7, to: 1 }, { change: { from: '1 week', to: '1 day' } }],
    [
      { change: 'throttle_authenticated_api_period_in_seconds', from: 60, to: 3600 },
      { change: { from: '1 minute', to: '1 hour' } },
    ],
    [{ change: 'max_artifacts_size', from: 100, to: 0 }, { change: { from: '100 MiB', to: '0' } }],
    [{ change: 'weight', from: 10_080, to: 0 }, { change: { from: '10080', to: '0' } }],
    [{ change: 'project' }, { action: 'Changed project', change: undefined }],
    [
      { add: 'user_access', as: 'Guest', target_id: 9, target_type: 'User', target_details: 'sam' },
      { action: 'Added user access', asRole: 'Guest', attribute: undefined, target: 'sam' },
    ],
    [
      { change: 'pipeline_schedule', target_id: 6, target_type: 'PipelineSchedule', entity_path: 'app' },
      { target: '#6', targetType: 'Pipeline schedule', attribute: undefined, entity: 'app' },
    ],
    [{ add: 'sign_in_link', target_type: 'SignInLink', entity_path: '13' }, { target: '#13' }],
    [{}, { action: 'Unknown', attribute: undefined, target: '', targetType: 'Project' }],
  ])('%j', (details, words) => {
    expect(auditWords(event(details))).toMatchObject(words)
  })
})

describe('the page of an audit event', () => {
  it.each([
    [{ add: 'release', target_type: 'Release', target_id: 'v1/rc' }, '/group/app/-/releases/v1%2Frc'],
    [{ change: 'pipeline', target_type: 'Pipeline', target_id: 7 }, '/group/app/-/pipelines/7'],
    [{ add: 'user_access', target_type: 'User', target_id: 9, target_details: 'sam' }, '/sam'],
    [{ change: 'project', target_type: 'Project', target_id: 7 }, '/group/app'],
    [{ remove: 'tag', target_type: 'Tag', target_id: 'v1' }, undefined],
    [{ add: 'badge', target_type: 'Badge', target_id: 3 }, undefined],
  ])('%j is %s', (details, href) => {
    expect(targetHref(event({ entity_path: 'group/app', ...details }))).toBe(href)
  })

  it('of a sign-in link is not named by the ID of the user', () => {
    expect(entityHref(event({ entity_path: '1' }))).toBeUndefined()
  })
})

describe('the summary of an operation in the past tense', () => {
  it.each([
    ['Create a release; a missing tag is created', 'Created a release'],
    ['Create a tag; annotated if a message is given', 'Created a tag'],
    [
      'Retry the failed and canceled jobs of a pipeline, or selected ones',
      'Retried the failed and canceled jobs of a pipeline',
    ],
    ['Run a pipeline schedule immediately', 'Ran a pipeline schedule immediately'],
    ['Approve or reject a blocked deployment', 'Approved or rejected a blocked deployment'],
    ['Set or delete the status of the current user', 'Set or deleted the status of the current user'],
    ['Stop an environment; `force` skips its `on_stop` jobs', 'Stopped an environment'],
    ['Update, close or reopen a project issue', 'Updated, closed or reopened a project issue'],
    ['Deny an access request', 'Denied an access request'],
    ['Cherry-pick a commit', 'Cherry-picked a commit'],
    ['Archive a project, which makes it read-only', 'Archived a project'],
    ['Signed in', 'Signed in'],
    ['Created personal access token with id 13', 'Created personal access token with id 13'],
    ['', ''],
  ])('%s', (summary, told) => {
    expect(pastTense(summary)).toBe(told)
  })
})
