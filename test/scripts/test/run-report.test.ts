import { expect, test } from 'vitest'

import {
  compareRuns,
  type Failure,
  filesToRunAgain,
  type RunReport,
  type TestFile,
} from '../../../scripts/test/run-report.mjs'

const FILES = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((name) => ({ project: 'fast', path: `/${name}.ts` }))
const [A, B] = FILES as [TestFile, TestFile]

test('the files with failed tests run again, each once', () => {
  const failures = [failure('one', A), failure('two', A)]
  expect(filesToRunAgain(report({ failures }))).toEqual([A])
})

test.each<[string, Partial<RunReport>]>([
  ['an interrupted run', { isInterrupted: true }],
  ['a run with an error that belongs to no test', { errors: 1 }],
  ['a file that ran alone', { files: [A] }],
  ['six files, which a change broke', { failures: FILES.slice(0, 6).map((file) => failure('one', file)) }],
])('nothing runs again after %s', (_, state) => {
  expect(filesToRunAgain(report({ failures: [failure('one', A)], ...state }))).toEqual([])
})

test('a test that passes in the second run failed once, and one that fails twice or is missing there failed', () => {
  const failures = ['once', 'twice', 'missing'].map((name) => failure(name, A))
  const second = report({ failures: [failure('twice', A)], passed: ['once', 'other'] })
  const { failedOnce, failed } = compareRuns(report({ failures }), second)
  expect(failedOnce.map(({ name }) => name)).toEqual(['once'])
  expect(failed.map(({ name }) => name)).toEqual(['twice', 'missing'])
})

test('a test that fails in the second run alone failed', () => {
  const first = report({ failures: [failure('once', A)] })
  const second = report({ failures: [failure('other', B)], passed: ['once'] })
  expect(compareRuns(first, second).failed.map(({ name }) => name)).toEqual(['other'])
})

test('a test is not excused by another one with its name', () => {
  const first = report({ failures: [failure('same', A)] })
  const second = report({ failures: [failure('same', A)], passed: ['same'] })
  expect(compareRuns(first, second)).toMatchObject({ failedOnce: [], failed: [{ name: 'same' }] })
})

function report(state: Partial<RunReport>): RunReport {
  return { isInterrupted: false, errors: 0, files: FILES, failures: [], passed: [], ...state }
}

function failure(name: string, file: TestFile): Failure {
  return { file, name, reason: 'expected 1 to be 2' }
}
