import { describe, expect, it } from 'vitest'

import {
  type EditedFile,
  fileChanges,
  nextName,
  onto,
  problemOfFiles,
} from '../../src/web/pages/snippets/edited-files.js'
import { markdownLink } from '../../src/web/pages/snippets/markdown-link.js'
import { pageTree, type TreeNode } from '../../src/web/pages/wikis/page-tree.js'

describe('the pages of a wiki', () => {
  it('are in folders, by name, with the home page first and without the sidebar', () => {
    const slugs = ['a-page', 'Guide/Step-10', 'Guide/Step-2', 'Guide', 'home', '_sidebar', 'Deep/er/one']
    const pages = slugs.map((slug) => ({
      slug,
      title: slug.slice(slug.lastIndexOf('/') + 1).replaceAll('-', ' '),
    }))
    const outline = (nodes: TreeNode[]): unknown[] =>
      nodes.map(({ name, isPage, children }) => [name, isPage, ...outline(children)])
    expect(outline(pageTree(pages))).toEqual([
      ['Home', true],
      ['a page', true],
      ['Deep', false, ['er', false, ['one', true]]],
      ['Guide', true, ['Step 2', true], ['Step 10', true]],
    ])
  })
})

describe('the files of a snippet', () => {
  const saved = [
    { path: 'a', content: '1' },
    { path: 'b', content: '2' },
  ]
  const form = (changes: Partial<EditedFile>[]) =>
    [
      { key: 0, path: 'a', content: '1', before: 'a' },
      { key: 1, path: 'b', content: '2', before: 'b' },
    ].map((file, index) => ({ ...file, ...changes[index] }))

  it('are changed as the form says, and deleted first', () => {
    expect(fileChanges(saved, form([]))).toEqual([])
    expect(fileChanges(saved, form([{ content: 'x' }]))).toEqual([
      { action: 'update', file_path: 'a', content: 'x' },
    ])
    expect(fileChanges(saved, form([{ path: 'c' }, { path: 'd', content: 'y' }]))).toEqual([
      { action: 'move', file_path: 'c', previous_path: 'a' },
      { action: 'move', file_path: 'd', previous_path: 'b', content: 'y' },
    ])
    expect(fileChanges(saved, [{ key: 2, path: 'a', content: 'n' }])).toEqual([
      { action: 'delete', file_path: 'a' },
      { action: 'delete', file_path: 'b' },
      { action: 'create', file_path: 'a', content: 'n' },
    ])
  })

  it('are put onto those that somebody else has saved: none is created twice, and none is left', () => {
    const theirs = [
      { path: 'a', content: 'theirs' },
      { path: 'c', content: '3' },
    ]
    expect(fileChanges(theirs, onto(theirs, form([{ content: 'x' }])))).toEqual([
      { action: 'delete', file_path: 'c' },
      { action: 'update', file_path: 'a', content: 'x' },
      { action: 'create', file_path: 'b', content: '2' },
    ])
    expect(fileChanges(theirs, onto(theirs, form([{}, { path: 'c' }])))).toEqual([
      { action: 'update', file_path: 'a', content: '1' },
      { action: 'update', file_path: 'c', content: '2' },
    ])
  })

  it('need names of their own and content', () => {
    expect(problemOfFiles(form([]))).toBeUndefined()
    expect(problemOfFiles(form([{ path: ' ' }]))).toBe('Each file needs a name.')
    expect(problemOfFiles(form([{ path: 'b' }]))).toBe('Two files have the name b.')
    expect(problemOfFiles(form([{ content: '' }]))).toBe('The file a is empty.')
    expect(nextName(form([{ path: 'file3.txt' }]))).toBe('file4.txt')
  })

  it('are shared with a link whose title is text', () => {
    expect(markdownLink('a [b](c) *d*', 'https://x')).toBe(String.raw`[a \[b\](c) \*d\*](https://x)`)
  })
})
