import { expect, test } from 'vitest'

import { fileAddress, folderAddress, folderOf } from '../../src/web/pages/jobs/artifact-paths.js'
import { readersInstead } from '../../src/web/pages/jobs/artifact-readers.js'
import { prettyJson } from '../../src/web/pages/jobs/artifact/pretty-json.js'
import { readReport } from '../../src/web/pages/jobs/artifact/read-report.js'

test.each([
  ['all', 0, undefined],
  ['developer', 30, undefined],
  ['developer', 20, 'developers and above'],
  ['maintainer', 30, 'maintainers and above'],
  ['none', 60, 'jobs of its pipeline'],
] as const)('artifacts for %s, at level %i', (access, level, readers) => {
  expect(readersInstead({ artifacts_access: access }, { level })).toBe(readers)
})

test('addresses of artifacts keep the slashes of paths', () => {
  expect(fileAddress('a/b', 7, 'my dir/ä#1.txt')).toBe('/a/b/-/jobs/7/artifacts/raw/my%20dir/%C3%A4%231.txt')
  expect(folderAddress('a/b', 7, 'x/y')).toBe('/api/v4/projects/a%2Fb/jobs/7/artifacts/folder?path=x%2Fy')
  expect(['a/b/c', 'c', ''].map(folderOf)).toEqual(['a/b', '', ''])
})

test('JSON in long lines is formatted, and other texts are not', () => {
  const values = Array.from({ length: 300 }, (_, index) => index)
  expect(prettyJson('a.json', JSON.stringify({ values }))).toBe(JSON.stringify({ values }, null, 2))
  expect(prettyJson('a.json', '{"a":1}')).toBeUndefined()
  expect(prettyJson('a.json', `{${'x'.repeat(500)}`)).toBeUndefined()
  expect(prettyJson('a.txt', JSON.stringify({ values }))).toBeUndefined()
})

test('a JUnit report is a list of tests, those that failed first', () => {
  const xml = `<?xml version="1.0"?><!-- <testcase name="no"/> -->
    <testsuites><testsuite name="unit"><testcase name="a &lt;b&gt;" classname="K" time="0.5"/>
    <testcase name='c'><failure message="m &amp; n">at <![CDATA[<x> & y]]></failure><system-out>no</system-out></testcase>
    <testcase name="d"><skipped/></testcase></testsuite>
    <testsuite name="other"><testcase name="e"><error>broken</error></testcase></testsuite></testsuites>`
  expect(readReport('a.xml', xml)).toEqual({
    kind: 'tests',
    cases: [
      {
        suite: 'unit',
        name: 'c',
        classname: '',
        status: 'failed',
        seconds: undefined,
        output: 'm & n\nat <x> & y',
      },
      { suite: 'other', name: 'e', classname: '', status: 'failed', seconds: undefined, output: 'broken' },
      { suite: 'unit', name: 'a <b>', classname: 'K', status: 'success', seconds: 0.5, output: '' },
      { suite: 'unit', name: 'd', classname: '', status: 'skipped', seconds: undefined, output: '' },
    ],
  })
})

test('reports of coverage count each line of a file once', () => {
  const cobertura = `<coverage line-rate="0.5" version="1"><packages><package><classes>
    <class name="A" filename="src/a.rb"><methods><method><lines><line number="1" hits="3"/></lines></method></methods>
    <lines><line number="1" hits="3"/><line number="2" hits="0"/></lines></class>
    <class name="B" filename="src/a.rb"><lines><line number="2" hits="1"/><line number="9" hits="0"/></lines></class>
    <class name="C" filename="src/c.rb"><methods/><lines/></class></classes></package></packages></coverage>`
  expect(readReport('coverage.xml', cobertura)).toEqual({
    kind: 'coverage',
    files: [
      { path: 'src/a.rb', covered: 2, lines: 3 },
      { path: 'src/c.rb', covered: 0, lines: 0 },
    ],
  })
  const lcov =
    'TN:\nSF:src/a.ts\nFN:1,f\nDA:1,4\nDA:2,0\nLF:2\nend_of_record\nSF:src/b.ts\nDA:1,1\nend_of_record\n'
  expect(readReport('lcov.info', lcov)).toEqual({
    kind: 'coverage',
    files: [
      { path: 'src/a.ts', covered: 1, lines: 2 },
      { path: 'src/b.ts', covered: 1, lines: 1 },
    ],
  })
})

test.each([
  ['a.xml', '<project/>'],
  ['a.txt', '<testsuite name="a"></testsuite>'],
  ['pom.xml', '<coverage></coverage>'],
  ['a.info', 'nothing'],
])('%s with %j is no report', (path, text) => {
  expect(readReport(path, text)).toBeUndefined()
})

test.each(['<testcase name="x" ', '<!-- ', '<![CDATA[ ', '<a "', "<a '", '<a b="c" ', 'x'])(
  'a report with %j many times takes no long time',
  (part) => {
    const started = performance.now()
    expect(readReport('a.xml', `<testsuite name="a"><a ${part.repeat(100_000)}>`)?.kind).toBe('tests')
    expect(performance.now() - started).toBeLessThan(5000)
  },
)
