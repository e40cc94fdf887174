import { describe, expect, it } from 'vitest'

import { changedWords } from '../../src/web/code/changed-words.js'
import { type DiffEntry, diffFileOf, WholeDiff } from '../../src/web/code/diff-files.js'
import { diffRows } from '../../src/web/code/diff-rows.js'
import { diffTree } from '../../src/web/code/diff-tree.js'
import { ignoreWhitespace } from '../../src/web/code/ignore-whitespace.js'
import {
  hasLine,
  positionKey,
  positionOfKey,
  positionOfLine,
  positionsOfRow,
} from '../../src/web/code/line-positions.js'
import { parseDiff } from '../../src/web/code/parse-diff.js'
import { linesOf, widestLine } from '../../src/web/code/text-lines.js'

const DIFF = `@@ -3,5 +3,5 @@ function first()
 c
 d
-e
+E
 f
 g
@@ -10,2 +10,3 @@
 j
+k
 l
\\ No newline at end of file
`

/** Rows as text: numbers before and after, a sign, and the text; both sides of a pair beside each other. */
function shown(diff: string, options: Partial<Parameters<typeof diffRows>[1]> = {}): string[] {
  return diffRows(parseDiff(diff), { isSplit: false, ...options }).map((row) => {
    if (row.kind === 'gap') return `… ${row.gap.old} ${row.gap.new} ${row.gap.count ?? 'some'}`
    const lines = row.kind === 'line' ? [row.line] : [row.left, row.right]
    return lines
      .map((line) =>
        line
          ? `${line.old ?? ''}:${line.new ?? ''}${{ same: ' ', added: '+', removed: '-' }[line.kind]}${line.text}`
          : '',
      )
      .join(' | ')
  })
}

describe('the places of lines', () => {
  const paths = { old_path: 'a b.ts', new_path: 'c d.ts' }
  const parsed = parseDiff(DIFF)
  const keys = (isSplit: boolean) =>
    diffRows(parsed, { isSplit }).map((row) => positionsOfRow(row, paths).map(positionKey).join(', '))

  it('name both versions of a line that is the same, and one of a changed line', () => {
    expect(keys(false).slice(2, 6)).toEqual([
      'old 4 a b.ts, new 4 c d.ts',
      'old 5 a b.ts',
      'new 5 c d.ts',
      'old 6 a b.ts, new 6 c d.ts',
    ])
    expect(keys(true).slice(2, 5)).toEqual([
      'old 4 a b.ts, new 4 c d.ts',
      'old 5 a b.ts, new 5 c d.ts',
      'old 6 a b.ts, new 6 c d.ts',
    ])
    const place = { path: 'c d.ts', line: 5, side: 'new' } as const
    expect(positionOfKey(positionKey(place))).toEqual(place)
  })

  it('take a note where the diff itself has the line', () => {
    expect([3, 7, 8, 10, 12, 13].map((line) => hasLine(parsed, { line, side: 'new' }))).toEqual([
      true,
      true,
      false,
      true,
      true,
      false,
    ])
    expect(hasLine(parsed, { line: 12, side: 'old' })).toBe(false)
    const line = { kind: 'same', text: '', old: 8, new: 8 } as const
    expect(positionOfLine(line, paths)).toEqual({ path: 'c d.ts', line: 8, side: 'new' })
    expect(positionOfLine({ ...line, isOpened: true }, paths)).toBe(undefined)
    expect(positionOfLine({ ...line, kind: 'removed' }, paths)).toEqual({
      path: 'a b.ts',
      line: 8,
      side: 'old',
    })
  })
})

describe('the diff of a file', () => {
  it('has hunks with numbered lines, and counts', () => {
    const { hunks, added, removed } = parseDiff(DIFF)
    expect({ added, removed }).toEqual({ added: 2, removed: 1 })
    expect(hunks.map(({ oldStart, newStart, heading }) => [oldStart, newStart, heading])).toEqual([
      [3, 3, 'function first()'],
      [10, 10, ''],
    ])
    expect(hunks[1]?.lines.at(-1)).toEqual({ kind: 'same', text: 'l', old: 11, new: 12, isWithoutEnd: true })
  })

  it.each([
    ['@@ -0,0 +1,2 @@\n+a\n+b\n', [':1+a', ':2+b']],
    ['@@ -1,2 +0,0 @@\n-a\n-b\n', ['1:-a', '2:-b']],
    ['', []],
  ])('numbers the lines of %j', (diff, rows) => {
    expect(shown(diff)).toEqual(rows)
  })

  it('leaves out what did not change', () => {
    expect(shown(DIFF)).toEqual([
      '… 1 1 2',
      '3:3 c',
      '4:4 d',
      '5:-e',
      ':5+E',
      '6:6 f',
      '7:7 g',
      '… 8 8 2',
      '10:10 j',
      ':11+k',
      '11:12 l',
    ])
  })

  it('has both sides beside each other', () => {
    expect(shown(DIFF, { isSplit: true }).slice(3, 5)).toEqual(['5:-e | :5+E', '6:6 f | 6:6 f'])
    expect(shown('@@ -1 +1,2 @@\n-a\n+b\n+c\n', { isSplit: true })).toEqual(['1:-a | :1+b', ' | :2+c'])
  })

  it('opens what is left out, from either end', () => {
    const lines = ['a', 'b', 'c', 'd', 'E', 'f', 'g', 'h', 'i', 'j', 'k', 'l']
    const open = (index: number, top: number, bottom: number) =>
      shown(DIFF, { lines, opened: new Map([[index, { top, bottom }]]) })
    expect(open(0, 1, 0).slice(0, 3)).toEqual(['1:1 a', '… 2 2 1', '3:3 c'])
    expect(open(0, 0, 1).slice(0, 3)).toEqual(['… 1 1 1', '2:2 b', '3:3 c'])
    expect(open(0, 20, 20).slice(0, 3)).toEqual(['1:1 a', '2:2 b', '3:3 c'])
  })

  it('may go on after the last hunk, for as many lines as the file has', () => {
    const diff = '@@ -1,4 +1,5 @@\n+x\n a\n b\n c\n d\n'
    expect(shown(diff).at(-1)).toBe('… 5 6 some')
    expect(shown(diff, { lines: ['x', 'a', 'b', 'c', 'd', 'e'] }).at(-1)).toBe('… 5 6 1')
    expect(shown(diff, { lines: ['x', 'a', 'b', 'c', 'd'] }).at(-1)).toBe('4:5 d')
  })
})

describe('a diff without changes of white space', () => {
  const ignored = (diff: string) => {
    const { hunks, added, removed } = ignoreWhitespace(parseDiff(diff))
    const lines = hunks.flatMap((hunk) =>
      hunk.lines.map((line) => `${line.old ?? ''}:${line.new ?? ''} ${line.text}`),
    )
    return { lines, added, removed }
  }

  it('shows lines that were only indented as unchanged, as they are now', () => {
    expect(ignored('@@ -1,3 +1,4 @@\n-a\n-b\n+if (x) {\n+  a\n+  c\n z\n')).toEqual({
      lines: [':1 if (x) {', '1:2   a', '2: b', ':3   c', '3:4 z'],
      added: 2,
      removed: 1,
    })
  })

  it('leaves out hunks that have only such changes', () => {
    expect(ignored('@@ -1,2 +1,2 @@\n-a  b\n+a b\n z\n@@ -9 +9 @@\n-c\n+d\n').lines).toEqual(['9: c', ':9 d'])
    const entry = { diff: '@@ -1 +1 @@\n-a  b\n+a b\n', new_path: 'x', a_mode: '100644', b_mode: '100644' }
    expect(diffFileOf(entry as DiffEntry, true).notes).toEqual(['Only white space has changed.'])
  })

  it('keeps lines that were added empty', () => {
    expect(ignored('@@ -1 +1,2 @@\n+\n z\n').added).toBe(1)
  })
})

describe('a changed line', () => {
  it.each([
    ['return text.split(1)', 'return text.trim().split(1)'],
    ['const a = 1', 'const b = 1'],
    ['same', 'same and more'],
  ])('%j to %j marks words', (before, after) => {
    const changed = changedWords(before, after)
    if (!changed) throw new Error('nothing in common')
    const { old, new: now } = changed
    expect(before.slice(0, old[0]) + after.slice(...now) + before.slice(old[1])).toBe(after)
    expect(now[1] - now[0]).toBeLessThan(after.length)
  })

  it('with nothing in common is another line', () => {
    expect(changedWords('import a from b', 'function main() {')).toBeUndefined()
  })
})

describe('the lines of a text', () => {
  it.each([
    ['a\nb\n', ['a', 'b']],
    ['a\r\nb', ['a', 'b']],
    ['\n', ['']],
    ['', []],
  ])('of %j are %j', (text, lines) => {
    expect(linesOf(text)).toEqual(lines)
  })

  it('are as wide as their widest one, with tabs and wide characters', () => {
    expect(widestLine(['abc', '\tab'])).toBe(6)
    expect(widestLine(['日本'])).toBe(4)
    expect(widestLine([])).toBe(0)
  })
})

describe('the tree of changed files', () => {
  const tree = (paths: string[], closed: string[] = []) =>
    diffTree(
      paths.map((path, file) => ({ file, path })),
      new Set(closed),
    ).map(
      (row) =>
        `${'  '.repeat(row.depth)}${row.kind === 'folder' ? `${row.name}/` : `${row.file} ${row.name}`}`,
    )
  const paths = [
    'README.md',
    'src/web/code/a.ts',
    'src/web/code/b.ts',
    'src/web/main.tsx',
    'test/web/a.test.ts',
  ]

  it('has one row for a folder that contains only a folder', () => {
    expect(tree(paths)).toEqual([
      '0 README.md',
      'src/web/',
      '  code/',
      '    1 a.ts',
      '    2 b.ts',
      '  3 main.tsx',
      'test/web/',
      '  4 a.test.ts',
    ])
  })

  it('hides what is in closed folders', () => {
    expect(tree(paths, ['src/web'])).toEqual(['0 README.md', 'src/web/', 'test/web/', '  4 a.test.ts'])
  })
})

describe('the changes of all files', () => {
  const entry = (path: string, diff: string): DiffEntry => ({
    diff,
    new_path: path,
    old_path: path,
    a_mode: '100644',
    b_mode: '100644',
    new_file: false,
    renamed_file: false,
    deleted_file: false,
    generated_file: false,
    collapsed: false,
    too_large: false,
  })
  const files = [entry('a', '@@ -1 +1 @@\n-a\n+b\n'), entry('b.bin', '')].map((entry) =>
    diffFileOf(entry, false),
  )
  const layOut = (isFolded: boolean) => {
    const whole = new WholeDiff(files)
    const state = { opened: new Map(), lines: undefined }
    whole.layOut(
      [
        { ...state, isFolded },
        { ...state, isFolded: false },
      ],
      false,
    )
    return whole
  }

  it('are one list of rows', () => {
    const whole = layOut(false)
    expect(Array.from({ length: whole.count }, (_, row) => whole.rowAt(row)?.kind)).toEqual([
      'header',
      'header',
      'content',
      'content',
      'space',
      'header',
      'header',
      'binary',
    ])
    expect(whole.rowOfFile(1)).toBe(5)
    expect([0, 3, 4, 7].map((row) => whole.fileAt(row))).toEqual([0, 0, 1, 1])
  })

  it('are hidden where a file is folded', () => {
    expect(layOut(true).count).toBe(6)
    expect(layOut(true).rowOfFile(1)).toBe(3)
  })
})
