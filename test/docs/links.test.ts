import { existsSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'

import { describe, expect, test } from 'vitest'

import { headingsOf, linksOf } from './markdown.js'
import { textFiles } from './text-files.js'

const AT_ROOT = ['README.md', 'SECURITY.md', 'CONTRIBUTING.md', 'CHANGELOG.md']

/** A path of code in a code span. Documents name code and do not link to it: the npm package does not contain it. */
const PATH_OF_CODE = /`((?:src|test|scripts)\/[\w./-]+)`/g

describe('links in documents', () => {
  test('lead to files and headings that exist', () => {
    const files = [
      ...AT_ROOT.filter((file) => existsSync(file)),
      ...textFiles('docs', '.md').map((file) => file.path),
    ]
    const problems = files.flatMap((file) =>
      linksOf(readFileSync(file, 'utf8')).flatMap(({ target, line }) => {
        const problem = problemOf(file, target)
        return problem === undefined ? [] : [`${file}:${line}: ${problem}`]
      }),
    )
    expect(problems).toEqual([])
  })

  test('lead to files of the npm package, for documents in that package', () => {
    const { files } = JSON.parse(readFileSync('package.json', 'utf8')) as { files: string[] }
    const isShipped = (file: string) => files.some((entry) => file === entry || file.startsWith(`${entry}/`))
    const documents = [...AT_ROOT, ...textFiles('docs', '.md').map((file) => file.path)].filter(isShipped)
    const missing = documents.flatMap((file) =>
      linksOf(readFileSync(file, 'utf8'))
        .filter(({ target }) => !target.startsWith('#'))
        .map(({ target }) => path.join(path.dirname(file), target.split('#')[0] ?? ''))
        .filter((linked) => existsSync(linked) && !isShipped(linked))
        .map((linked) => `${file}: ${linked}`),
    )
    expect(documents).toContain('CONTRIBUTING.md')
    expect(missing).toEqual([])
  })
})

test('paths of code in documents exist', () => {
  const paths = [...AT_ROOT, ...textFiles('docs', '.md').map((file) => file.path)].flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(PATH_OF_CODE)].map(([, code = '']) => ({ file, code })),
  )
  expect(paths.length).toBeGreaterThan(50)
  expect(paths.filter(({ code }) => !existsSync(code))).toEqual([])
})

function problemOf(file: string, target: string): string | undefined {
  if (/^[a-z][a-z+.-]*:/i.test(target)) return undefined
  const [place = '', anchor] = target.split('#')
  const linked = place === '' ? file : path.join(path.dirname(file), decodeURIComponent(place))
  if (!existsSync(linked)) return `there is no ${linked}`
  if (anchor === undefined) return undefined
  const anchors = statSync(linked).isFile()
    ? headingsOf(readFileSync(linked, 'utf8')).map((heading) => heading.anchor)
    : []
  return anchors.includes(decodeURIComponent(anchor)) ? undefined : `${linked} has no heading #${anchor}`
}

describe('reading documents', () => {
  test('finds headings with their anchors, outside of code', () => {
    const headings = headingsOf(
      '# One `two`, three!\n\ntext\n\n```sh\n# no heading\n```\n\n## Same\n\n## Same\n',
    )
    expect(headings.map(({ level, anchor }) => [level, anchor])).toEqual([
      [1, 'one-two-three'],
      [2, 'same'],
      [2, 'same-1'],
    ])
  })

  test('finds links with their lines, outside of code', () => {
    expect(linksOf('[a](b.md#c)\n`[d](e.md)` ![f](<g.png>)\n\n[h]: i.md\n')).toEqual([
      { target: 'b.md#c', line: 1 },
      { target: 'g.png', line: 2 },
      { target: 'i.md', line: 4 },
    ])
  })
})
