import { readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'

import { execa } from 'execa'
import { describe, expect, test } from 'vitest'

import type { RunReport, TestFile } from '../../../scripts/test/run-report.mjs'
import { runTests } from '../../../scripts/test/run-tests.mjs'
import { openForFile } from '../../support/lifetime.js'
import { IS_NIGHTLY } from '../../support/nightly.js'
import { tempDir } from '../../support/temp-dir.js'

/** A file of tests: of Vitest itself, and of hooks and imports that fail. */
const FILES = {
  'passes.test.mjs': `
    test('passes', () => {})`,
  'once.test.mjs': `
    describe('a group', () => {
      test('fails once', () => { if (isFirst('test')) throw new Error('the port is taken\\nmore') })
      test('passes', () => {})
    })`,
  'import-once.test.mjs': `
    if (isFirst('import')) throw new Error('not loaded')
    test('passes', () => {})`,
  'hook-once.test.mjs': `
    beforeAll(() => { if (isFirst('hook')) throw new Error('not started') })
    test('passes', () => {})`,
  'twice.test.mjs': `
    test('fails twice', () => { throw new Error('always') })`,
}

describe('tests that fail once', () => {
  const result = openForFile(() =>
    runFiles(['passes.test.mjs', 'once.test.mjs', 'import-once.test.mjs', 'hook-once.test.mjs']),
  )

  test('do not fail the run', () => {
    expect(result().code).toBe(0)
  })

  test('are printed at its end and added to the list, with the first line of the error', () => {
    const failures = [
      ['hook-once.test.mjs', 'not started'],
      ['import-once.test.mjs', 'not loaded'],
      ['once.test.mjs > a group > fails once', 'the port is taken'],
    ]
    expect(result().printed).toContain('== FAILED ONCE: 3 tests')
    for (const [name, reason] of failures) expect(result().printed).toContain(`${name}\n      ${reason}\n`)
    const list = result().list.trim().split('\n')
    expect(list.sort().map((line) => line.replace(/^\S+ (no commit|\w+) .*?([\w-]+\.test)/, '$2'))).toEqual(
      failures.map(([name, reason]) => `${name}: ${reason}`),
    )
  })

  test('run again without the files that passed', () => {
    expect(result().runs).toHaveLength(2)
    expect(result().runs[1]?.join(' ')).not.toContain('passes.test.mjs')
  })
})

test('a test that fails in both runs is printed as failed, and fails the run', async () => {
  const [file, other] = ['a', 'b'].map((name) => ({ project: '', path: `${name}.test.ts` })) as [
    TestFile,
    TestFile,
  ]
  const failures = ['once', 'twice'].map((name) => ({ file, name, reason: `of ${name}` }))
  const reports: RunReport[] = [
    { isInterrupted: false, errors: 0, files: [file, other], failures, passed: [] },
    { isInterrupted: false, errors: 0, files: [file], failures: failures.slice(1), passed: ['once'] },
  ]
  let printed = ''
  const code = await runTests({
    args: [],
    list: join(await tempDir(), 'list'),
    print: (text) => (printed += text),
    async runVitest(_args, path) {
      await writeFile(path, JSON.stringify(reports.shift()))
      return 1
    },
  })
  expect([code, reports]).toEqual([1, []])
  expect(printed).toMatch(/== FAILED: 1 test,.*\n {3}twice\n {6}of twice\n/)
  expect(printed).toMatch(/== FAILED ONCE: 1 test,.*\n {3}once\n {6}of once\n/)
})

test.runIf(IS_NIGHTLY)('a run fails if a test fails twice, and still shows what failed once', async () => {
  const { code, printed } = await runFiles(['once.test.mjs', 'twice.test.mjs'])
  expect(code).toBe(1)
  expect(printed).toMatch(/== FAILED: 1 test,.*\n.*twice\.test\.mjs > fails twice\n {6}always\n/)
  expect(printed).toContain('== FAILED ONCE: 1 test,')
})

test('a run that ends without a report fails as it did', async () => {
  const options = { args: [], list: join(await tempDir(), 'list'), print: () => {} }
  expect(await runTests({ ...options, runVitest: () => Promise.resolve(137) })).toBe(137)
})

interface Result {
  code: number
  printed: string
  list: string
  runs: string[][]
}

/** Runs files of `FILES` in a Vitest of their own, with the reporter of this repository. */
async function runFiles(names: (keyof typeof FILES)[]): Promise<Result> {
  const root = await tempDir()
  const runs: string[][] = []
  const list = join(root, 'failed-once.txt')
  let printed = ''
  await writeFile(join(root, 'vitest.config.mjs'), 'export default { test: { globals: true } }')
  await Promise.all(names.map((name) => writeFile(join(root, name), fileText(FILES[name]))))
  const options = [
    `--root=${root}`,
    '--maxWorkers=1',
    '--pool=threads',
    '--no-isolate',
    `--reporter=${resolve('test/support/run-reporter.ts')}`,
  ]
  const code = await runTests({
    args: [],
    list,
    print: (text) => (printed += text),
    async runVitest(args, report) {
      runs.push(args)
      const command = ['node_modules/vitest/vitest.mjs', 'run', ...options, ...args]
      const { exitCode } = await execa(process.execPath, command, {
        reject: false,
        env: { SWITCHYARD_TEST_REPORT: report },
      })
      return exitCode ?? -1
    },
  })
  return { code, printed, list: await readFile(list, 'utf8'), runs }
}

function fileText(tests: string): string {
  return `
    import { writeFileSync } from 'node:fs'
    function isFirst(name) {
      try { writeFileSync(import.meta.dirname + '/' + name, '', { flag: 'wx' }) } catch { return false }
      return true
    }
    ${tests}`
}
