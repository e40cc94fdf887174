import { describe, expect, test } from 'vitest'

import { parseExpression } from '../../../src/ci-config/expressions/parse-expression.js'
import { type Clauses, clausesHold } from '../../../src/ci-config/selection/clauses.js'
import { type FileSources, KnownFiles } from '../../../src/ci-config/selection/known-files.js'
import type { ProjectCommit } from '../../../src/ci-config/sources.js'

const COMMIT: ProjectCommit = { projectPath: 'group/project', sha: 'a'.repeat(40) }

interface Responses {
  changed?: readonly string[]
  since?: Record<string, readonly string[]>
  files?: Record<string, readonly string[]>
}

/** Responses from tables, and a list of what was asked. */
function sourcesOf({ changed, since = {}, files = {} }: Responses): FileSources & { asked: string[] } {
  const asked: string[] = []
  return {
    asked,
    changedFiles: async () => (asked.push('changed'), changed),
    changedFilesSince: async (ref) => (asked.push(`since ${ref}`), since[ref]),
    listFiles: async ({ projectPath }) => (asked.push(`files ${projectPath}`), files[projectPath] ?? []),
    findProject: async (path, ref) => {
      asked.push(`project ${path} ${ref}`)
      if (!files[path]) return 'not-found'
      return ref === 'gone' ? 'no-such-ref' : { projectPath: path, sha: 'b'.repeat(40) }
    },
  }
}

function hold(clauses: Clauses, sources: FileSources, files = new KnownFiles(sources)): Promise<boolean> {
  const values: Record<string, string> = { DIR: 'docs', REF: 'main', P: 'other/project' }
  const variables = {
    get: (name: string) => values[name],
    expand: (text: string) => text.replaceAll(/\$(\w+)/g, (all, name: string) => values[name] ?? all),
  }
  return clausesHold(clauses, { variables, files, commit: COMMIT })
}

function paths(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `f${index}`)
}

describe('changes', () => {
  test.each<[string[], string[] | undefined, boolean]>([
    [['a'], ['a'], true],
    [['a'], ['b'], false],
    [['b', 'a'], ['a', 'c'], true],
    [['$DIR/**/*'], ['docs/x/y'], true],
    [['$NONE/*'], ['$NONE/x'], true],
    [['**/*'], [], false],
    [[], ['a'], false],
    // No list of files: a tag, a new branch, a schedule.
    [['a'], undefined, true],
    [[], undefined, true],
  ])('of %j when %j changed: %j', async (patterns, changed, expected) => {
    expect(await hold({ changes: { paths: patterns } }, sourcesOf({ changed }))).toBe(expected)
  })

  test('hold without a look when there is too much to compare', async () => {
    const changes = { paths: paths(50).map((path) => `no/${path}`) }
    expect(await hold({ changes }, sourcesOf({ changed: paths(1000) }))).toBe(false)
    expect(await hold({ changes }, sourcesOf({ changed: paths(1001) }))).toBe(true)
  })

  test('may be those since another ref', async () => {
    const sources = sourcesOf({ since: { main: ['a'] }, changed: ['b'] })
    expect(await hold({ changes: { paths: ['a'], compareTo: '$REF' } }, sources)).toBe(true)
    expect(await hold({ changes: { paths: ['b'], compareTo: 'main' } }, sources)).toBe(false)
    await expect(hold({ changes: { paths: ['b'], compareTo: 'gone' } }, sources)).rejects.toThrow(
      'rules:changes:compare_to is not a valid ref',
    )
  })
})

describe('exists', () => {
  const tree = ['README.md', 'Dockerfile', 'src/a.rb', 'src/deep/b.test.ts', 'docs/guide/x']

  test.each<[string[], boolean]>([
    [['Dockerfile'], true],
    [['a.rb'], false],
    [['src'], false],
    [['src/'], true],
    [['sr/'], false],
    [['*'], true],
    [['*.rb'], false],
    [['*.rb', 'src/*'], true],
    [['**/*.rb'], true],
    [['**/*.test.ts'], true],
    [['**/*.py'], false],
    [['src/**/*.ts'], true],
    [['src/*.ts'], false],
    [['$DIR/guide/*'], true],
    [['{a,b}.md', '[R]EADME.md'], true],
    [['nothing', 'Docker*'], true],
    [[], false],
  ])('of %j: %j', async (patterns, expected) => {
    const sources = sourcesOf({ files: { 'group/project': tree } })
    expect(await hold({ exists: { paths: patterns } }, sources)).toBe(expected)
  })

  test('holds without a look when there is too much to compare, which exact names and endings never are', async () => {
    const sources = sourcesOf({ files: { 'group/project': paths(50_001).map((path) => `d/${path}`) } })
    const files = new KnownFiles(sources)
    const exists = (...patterns: string[]) => hold({ exists: { paths: patterns } }, sources, files)
    expect(await exists('no/*')).toBe(true)
    expect(await exists('no/x', '**/*.rb', 'no/')).toBe(false)
    // Only files at the top are looked at.
    expect(await exists('*')).toBe(false)
  })

  test('may ask another project', async () => {
    const sources = sourcesOf({ files: { 'other/project': ['a'] } })
    expect(await hold({ exists: { paths: ['a'], project: '$P' } }, sources)).toBe(true)
    expect(await hold({ exists: { paths: ['b'], project: '$P', ref: 'v1' } }, sources)).toBe(false)
    await expect(hold({ exists: { paths: ['a'], project: 'no/project' } }, sources)).rejects.toThrow(
      'rules:exists:project `no/project` not found or access denied',
    )
    await expect(hold({ exists: { paths: ['a'], project: '$P', ref: 'gone' } }, sources)).rejects.toThrow(
      'rules:exists:ref `gone` is not a valid ref in project `other/project`',
    )
  })
})

test('all conditions must hold, and files are asked for only when they decide', async () => {
  const sources = sourcesOf({ changed: ['a'], files: { 'group/project': ['b'] } })
  const files = new KnownFiles(sources)
  const rule = (text: string, change: string, file: string): Clauses => ({
    if: parseExpression(text)!,
    changes: { paths: [change] },
    exists: { paths: [file] },
  })
  expect(await hold(rule('$NONE', 'a', 'b'), sources, files)).toBe(false)
  expect(sources.asked).toEqual([])
  expect(await hold(rule('$DIR', 'x', 'b'), sources, files)).toBe(false)
  expect(sources.asked).toEqual(['changed'])
  expect(await hold(rule('$DIR', 'a', 'b'), sources, files)).toBe(true)
  expect(await hold(rule('$DIR', 'a', 'x'), sources, files)).toBe(false)
  expect(sources.asked).toEqual(['changed', 'files group/project'])
  expect(await hold({}, sources, files)).toBe(true)
})

test('very many different patterns end in a clear error', async () => {
  const sources = sourcesOf({ changed: paths(1000) })
  const files = new KnownFiles(sources)
  const ask = async () => {
    for (let index = 0; index < 1000; index++) {
      await hold({ changes: { paths: [`x${index}/*`] } }, sources, files)
    }
  }
  await expect(ask()).rejects.toThrow('The rules compare too many paths with too many patterns')
})
