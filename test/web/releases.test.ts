import { expect, test } from 'vitest'

import { latestTag, notesDraft, releaseBefore } from '../../src/web/pages/releases/notes-draft.js'

test('notes are drafted from commits, without merges', () => {
  const commit = (title: string, parents: string[] = ['a']) => ({
    title,
    short_id: '12345678',
    author_name: 'Ada',
    parent_ids: parents,
  })
  expect(notesDraft([commit('Fix it'), commit('Merge x', ['a', 'b']), commit('Add it', [])])).toBe(
    '## What is new\n\n- Fix it (12345678)\n- Add it (12345678)\n',
  )
  expect(notesDraft([commit('Merge x', ['a', 'b'])])).toBe('## What is new\n\n- Nothing but merges.\n')
})

test('the release before another one, and the latest one', () => {
  const releases = [
    { tag_name: 'v3', upcoming_release: true },
    { tag_name: 'v2', upcoming_release: false },
    { tag_name: 'v1', upcoming_release: false },
  ]
  expect(releaseBefore(releases, 'v2')?.tag_name).toBe('v1')
  expect(releaseBefore(releases, 'v1')).toBeUndefined()
  expect(releaseBefore(releases, 'new')?.tag_name).toBe('v3')
  expect(latestTag(releases)).toBe('v2')
  expect(latestTag([])).toBeUndefined()
})
