import { describe, expect, it } from 'vitest'

import { eventWords, pushedCommits } from '../../src/web/records/event-words.js'

const EVENT = {
  action_name: 'created',
  target_type: null,
  target_iid: null,
  target_title: null,
  project_path: 'group/app',
}
const PUSH = {
  commit_count: 1,
  action: 'pushed',
  ref_type: 'branch',
  commit_from: 'a'.repeat(40),
  commit_to: 'b'.repeat(40),
  ref: 'main',
  commit_title: 'Fix it',
  ref_count: null,
} as const

const NOTE = {
  id: 1,
  type: null,
  body: '',
  attachment: null,
  created_at: '',
  updated_at: '',
  system: false,
  noteable_id: 1,
  noteable_iid: null,
  project_id: 1,
  internal: false,
  confidential: false,
  author: { id: 1, username: 'mary', name: 'Mary', state: 'active', avatar_url: null, web_url: '' },
}

describe('activity in words', () => {
  it.each([
    ['created group/app', EVENT],
    [
      'commented on issue #3 Bug in group/app',
      {
        ...EVENT,
        action_name: 'commented on',
        target_type: 'Note',
        target_title: 'Bug',
        note: { ...NOTE, noteable_type: 'Issue' as const, noteable_iid: 3 },
      },
    ],
    [
      'commented on commit 1111aaaa in group/app',
      {
        ...EVENT,
        action_name: 'commented on',
        target_type: 'Note',
        note: { ...NOTE, noteable_type: 'Commit' as const, commit_id: '1111aaaa2222' },
      },
    ],
    [
      'updated wiki page First steps in group/app',
      {
        ...EVENT,
        action_name: 'updated',
        target_type: 'WikiPage::Meta',
        target_title: 'First steps',
        wiki_page: { format: 'markdown', slug: 'First-steps', title: 'First steps', wiki_page_meta_id: 1 },
      },
    ],
    ['joined group/app', { ...EVENT, action_name: 'joined' }],
    [
      'lost an expired membership of group/app',
      { ...EVENT, action_name: 'removed due to membership expiration from' },
    ],
    ['created a project', { ...EVENT, project_path: null }],
    ['pushed to branch main in group/app', { ...EVENT, push_data: PUSH }],
    [
      'deleted tag v1 in group/app',
      { ...EVENT, push_data: { ...PUSH, action: 'removed', ref_type: 'tag', ref: 'v1' } as const },
    ],
    [
      'pushed new 4 branches in group/app',
      { ...EVENT, push_data: { ...PUSH, action: 'created', ref_count: 4 } as const },
    ],
    [
      'closed issue #3 Parser in group/app',
      { ...EVENT, action_name: 'closed', target_type: 'Issue', target_iid: 3, target_title: 'Parser' },
    ],
  ])('%s', (sentence, event) => {
    expect(
      eventWords(event)
        .map(({ text }) => text)
        .join(' '),
    ).toBe(sentence)
  })

  it('leads to what it is about', () => {
    const issue = { ...EVENT, action_name: 'closed', target_type: 'Issue', target_iid: 3 }
    expect(eventWords(issue, true).map(({ href }) => href)).toEqual([undefined, '/group/app/-/issues/3'])
    const note = { ...NOTE, noteable_type: 'MergeRequest' as const, noteable_iid: 4 }
    const comment = { ...EVENT, action_name: 'commented on', target_type: 'Note', note }
    expect(eventWords(comment, true)[1]?.href).toBe('/group/app/-/merge_requests/4#note_1')
    expect(eventWords({ ...issue, project_path: null })[1]?.href).toBeUndefined()
  })

  it('names the project only where the reader does not know it', () => {
    const texts = eventWords({ ...EVENT, push_data: PUSH }, true).map(({ text }) => text)
    expect(texts).toEqual(['pushed to branch', 'main'])
  })

  it.each([
    ['one commit', PUSH, `/group/app/-/commit/${'b'.repeat(40)}`],
    ['several commits', { ...PUSH, commit_count: 3 }, '/group/app/-/compare/aaaaaaaaaaaa...bbbbbbbbbbbb'],
    [
      'a new branch',
      { ...PUSH, commit_from: null, commit_count: 3 },
      `/group/app/-/commit/${'b'.repeat(40)}`,
    ],
  ])('leads from a push of %s to what it changed', (_case, push, href) => {
    expect(pushedCommits({ ...EVENT, push_data: push })?.href).toBe(href)
  })

  it('has no commits for a deleted branch', () => {
    const push = { ...PUSH, action: 'removed', commit_to: null, commit_title: null } as const
    expect(pushedCommits({ ...EVENT, push_data: push })).toBeUndefined()
  })
})
