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

describe('activity in words', () => {
  it.each([
    ['created group/app', EVENT],
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
