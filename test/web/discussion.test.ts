import { describe, expect, it } from 'vitest'

import { completionAt, quoted } from '../../src/web/discussion/completion.js'
import { dueWords } from '../../src/web/discussion/due-words.js'
import {
  codeSelection,
  continueList,
  linkSelection,
  prefixLines,
  type TextEdit,
  wrapSelection,
} from '../../src/web/discussion/edit-text.js'
import { quickActions } from '../../src/web/discussion/quick-actions.js'
import { taskMarks, withTask } from '../../src/web/discussion/tasks.js'

/** A text in which `[` and `]` are the ends of the selection. */
function selected(marked: string) {
  const start = marked.indexOf('[')
  const end = marked.indexOf(']') - 1
  return { value: marked.replace('[', '').replace(']', ''), start, end }
}

function applied(marked: string, edit: (text: ReturnType<typeof selected>) => TextEdit | undefined): string {
  const text = selected(marked)
  const done = edit(text)
  if (!done) return 'unchanged'
  const value = text.value.slice(0, done.start) + done.text + text.value.slice(done.end)
  return `${value.slice(0, done.selectStart)}[${value.slice(done.selectStart, done.selectEnd)}]${value.slice(done.selectEnd)}`
}

describe('the word before the cursor that is completed', () => {
  it.each([
    ['Thanks @ad', '@', 'ad'],
    ['@', '@', ''],
    ['/assign @ada ~bu', '~', 'bu'],
    ['(see #12', '#', '12'],
    ['a ~"needs de', '~', 'needs de'],
    ['%"Autumn re', '%', 'Autumn re'],
    ['well :ta', ':', 'ta'],
    ['text\n/ass', '/', 'ass'],
    ['/', '/', ''],
  ])('%j is %s with %j', (text, sigil, query) => {
    expect(completionAt(text, text.length)).toMatchObject({ sigil, query, end: text.length })
  })

  it.each(['mail@ada', 'at 10:30', 'yes: a', '@ada and', 'a/b', 'text /close', '~"bug" ', 'a :t', ''])(
    '%j has none',
    (text) => {
      expect(completionAt(text, text.length)).toBeUndefined()
    },
  )

  it('begins at its sigil, in the middle of a text too', () => {
    expect(completionAt('Ask @ad, please', 7)).toEqual({ sigil: '@', query: 'ad', start: 4, end: 7 })
  })

  it('names in quotation marks what is not one word, or a number', () => {
    expect([quoted('~', 'bug'), quoted('~', 'needs design'), quoted('%', '13')]).toEqual([
      '~bug',
      '~"needs design"',
      '%"13"',
    ])
  })

  it('offers only the quick actions that the record has', () => {
    expect(quickActions('issues', 'due').map(({ name }) => name)).toEqual(['due', 'remove_due_date'])
    expect(quickActions('merge_requests', 'due')).toEqual([])
  })
})

describe('the buttons of the text editor', () => {
  it.each([
    ['a [b] c', 'a **[b]** c'],
    ['a **[b]** c', 'a [b] c'],
    ['a []', 'a **[]**'],
  ])('make %j bold: %j', (before, after) => {
    expect(applied(before, (text) => wrapSelection(text, '**'))).toBe(after)
  })

  it('mark code in a line and over lines, links, and lists', () => {
    expect(applied('[x]', codeSelection)).toBe('`[x]`')
    expect(applied('[x\ny]', codeSelection)).toBe('```[]\nx\ny\n```\n')
    expect(applied('see [this]', linkSelection)).toBe('see [this]([url])'.replace('[this]', '[this]'))
    expect(applied('[https://a.example]', linkSelection)).toBe(
      '[[]](https://a.example)'.replace('[[]]', '[[]]'),
    )
    expect(applied('a\n[b\nc]', (text) => prefixLines(text, '- '))).toBe('a\n- b\n- c[]')
    expect(applied('[- b\n- c]', (text) => prefixLines(text, '- '))).toBe('b\nc[]')
  })

  it.each([
    ['- a[]', '- a\n- []'],
    ['  3. a[]', '  3. a\n  4. []'],
    ['- [x] a', 'unchanged'],
    ['* b\n* []', '* b\n[]'],
    ['text[]', 'unchanged'],
  ])('Enter after %j: %j', (before, after) => {
    expect(applied(before, (text) => (before.includes('[]') ? continueList(text) : undefined))).toBe(after)
  })

  it('continues a task list with an open task', () => {
    const value = '- [x] a'
    expect(continueList({ value, start: 7, end: 7 })?.text).toBe('\n- [ ] ')
  })
})

describe('tasks of a text', () => {
  const TEXT = '- [ ] a\n  1. [x] b\n```\n- [ ] code\n```\n> * [X] c\n- [ ]\n'

  it('are found outside of code', () => {
    expect(taskMarks(TEXT).map((at) => TEXT[at])).toEqual([' ', 'x', 'X'])
  })

  it('are ticked by their place', () => {
    expect(withTask(TEXT, 0, true)).toContain('- [x] a')
    expect(withTask(TEXT, 2, false)).toContain('> * [ ] c')
    expect(withTask(TEXT, 9, true)).toBe(TEXT)
  })
})

it.each([
  ['2026-11-28', 'overdue'],
  ['2026-11-29', 'today'],
  ['2026-11-30', 'tomorrow'],
  ['2026-12-02', 'in 3 days'],
  ['2026-12-03', undefined],
])('a due date on %s is %s', (day, text) => {
  expect(dueWords(day, new Date(2026, 10, 29, 23))?.text).toBe(text)
})
