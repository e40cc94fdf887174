import { describe, expect, it } from 'vitest'

import { auditWords } from '../../src/web/records/audit-words.js'

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
      action: 'Update a project',
      attribute: 'visibility',
      change: { from: 'Private', to: 'Public' },
      target: 'app',
      targetType: 'Project',
    })
  })

  it.each([
    [{ failed_login: 'STANDARD' }, { action: 'Refused sign-in', author: 'user 5' }],
    [
      { add: 'deploy_key', entity_path: 'group/app' },
      { action: 'Add deploy_key', target: 'group/app' },
    ],
    [{ remove: 'branch', target_id: 'topic', entity_path: 'group/app' }, { target: 'topic' }],
    [{ target_id: 7, entity_path: 'group/app' }, { target: 'group/app' }],
    [
      { target_id: 'TOKEN', target_details: 'Reads packages', target_type: 'Variable' },
      { target: 'TOKEN', targetType: 'Variable' },
    ],
    [{ change: 'archived', from: false, to: true }, { change: { from: 'no', to: 'yes' } }],
    [{ change: 'name', from: null, to: 'new' }, { change: { from: 'nothing', to: 'new' } }],
    [{ change: 'project' }, { action: 'Change project', change: undefined }],
    [{}, { action: 'Unknown', attribute: undefined, target: '', targetType: 'Project' }],
  ])('%j', (details, words) => {
    expect(auditWords(event(details))).toMatchObject(words)
  })
})
