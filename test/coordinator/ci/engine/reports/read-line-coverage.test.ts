import { Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'

import { describe, expect, test } from 'vitest'

import { lineCoverageLimits } from '../../../../../src/coordinator/ci/engine/reports/line-coverage/line-coverage-limits.js'
import { readLineCoverage } from '../../../../../src/coordinator/ci/engine/reports/line-coverage/read-line-coverage.js'
import { ReportPaths } from '../../../../../src/coordinator/ci/engine/reports/line-coverage/report-paths.js'

const FILES = [
  'a.ts',
  'src/a.ts',
  'src/b.ts',
  'lib/src/b.ts',
  'app/main/java/org/x/Foo.java',
  'src/deep/c.ts',
]

async function read(texts: readonly (string | Buffer)[], files: readonly string[] = FILES) {
  const packed = Buffer.concat(texts.map((text) => gzipSync(text, { level: 1 })))
  const wanted = { paths: new ReportPaths(FILES), files: new Set(files) }
  const found = await readLineCoverage(Readable.from([packed]), wanted)
  return Object.fromEntries([...found].map(([path, lines]) => [path, Object.fromEntries(lines)]))
}

function cobertura(filename: string, source = '', lines = '<line number="1" hits="2"/>'): string {
  return `<?xml version="1.0"?><!DOCTYPE coverage SYSTEM "http://example.com/coverage-04.dtd">
    <coverage><sources><source>${source}</source></sources><packages><package name="p"><classes>
    <class name="c" filename="${filename}"><methods/><lines>${lines}</lines></class></classes></package></packages></coverage>\n`
}

test.each<[string, string, string | undefined]>([
  ['src/a.ts', '', 'src/a.ts'],
  ['./src/a.ts', '.', 'src/a.ts'],
  ['a.ts', '/builds/ada/app', 'a.ts'],
  ['a.ts', '/builds/ada/app/src', 'src/a.ts'],
  ['b.ts', '/builds/ada/app/lib/src', 'lib/src/b.ts'],
  ['src\\a.ts', 'C:\\work\\app', 'src/a.ts'],
  ['/builds/ada/app/src/a.ts', '', 'src/a.ts'],
  ['c.ts', '', 'src/deep/c.ts'],
  // Both `src` and `lib/src` have it.
  ['b.ts', '', undefined],
  ['other/a.ts', '/builds/ada/app', undefined],
  ['../../etc/passwd', '/builds', undefined],
  ['', '/builds/ada/app/src/a.ts', undefined],
])('the file %j in %j is %j of the repository', async (filename, source, path) => {
  expect(await read([cobertura(filename, source)])).toEqual(path === undefined ? {} : { [path]: { 1: 2 } })
})

test('lines that are named twice have the highest number, and what is no line is left out', async () => {
  const lines = [
    ...['<line number="1" hits="0"/>', '<line number="1" hits="3"/>', '<line number="2" hits="0"/>'],
    ...['<line number="0" hits="1"/>', '<line number="x" hits="1"/>', '<line number="3"/>'],
    '<line number="4" hits="-1"/>',
  ]
  expect(await read([cobertura('src/a.ts', '', lines.join(''))])).toEqual({ 'src/a.ts': { 1: 3, 2: 0 } })
})

test('JaCoCo counts instructions', async () => {
  const report = `<!DOCTYPE report PUBLIC "-//JACOCO//DTD Report 1.1//EN" "report.dtd"><report name="x"><group name="g">
    <package name="org/x"><class name="org/x/Foo" sourcefilename="Foo.java"><method name="m" line="3"/></class>
    <sourcefile name="Foo.java"><line nr="3" mi="0" ci="4"/><line nr="4" mi="2" ci="0"/></sourcefile>
    <sourcefile name="Bar.java"><line nr="3" mi="0" ci="4"/></sourcefile></package></group></report>`
  expect(await read([report])).toEqual({ 'app/main/java/org/x/Foo.java': { 3: 4, 4: 0 } })
})

test('several documents, and only the files that are asked for', async () => {
  const texts = [cobertura('src/a.ts'), cobertura('src/deep/c.ts'), cobertura('src/a.ts', '')]
  expect(await read(texts, ['src/a.ts'])).toEqual({ 'src/a.ts': { 1: 2 } })
})

describe('a report is refused', () => {
  test.each<[string, string | Buffer, RegExp]>([
    ['that is empty', '', /failed/],
    ['that is no XML', 'TN:\nSF:src/a.ts', /failed/],
    ['that ends early', cobertura('src/a.ts').slice(0, -20), /failed/],
    ['of another kind', '<testsuites/>', /neither Cobertura nor JaCoCo/],
    [
      'with entities',
      '<!DOCTYPE coverage [<!ENTITY e "x">]><coverage><sources><source>&e;</source></sources></coverage>',
      /entity/,
    ],
    ['that is too deep', '<coverage>' + '<a>'.repeat(lineCoverageLimits.depth), /too deep/],
    ['with a long element', `<coverage a="${'x'.repeat(lineCoverageLimits.charactersAtOnce)}"`, /too long/],
  ])('%s', async (_, text, message) => {
    await expect(read([text])).rejects.toThrow(message)
  })

  test('that is not compressed', async () => {
    const wanted = { paths: new ReportPaths(FILES), files: new Set(FILES) }
    await expect(readLineCoverage(Readable.from([Buffer.from('<coverage/>')]), wanted)).rejects.toMatchObject(
      { code: 'COVERAGE_UNREADABLE' },
    )
  })

  test('with too many lines', async () => {
    const { lines } = lineCoverageLimits
    lineCoverageLimits.lines = 2
    try {
      const three = [1, 2, 3].map((at) => `<line number="${at}" hits="0"/>`)
      await expect(read([cobertura('src/a.ts', '', three.join(''))])).rejects.toThrow(/more than 2 lines/)
    } finally {
      lineCoverageLimits.lines = lines
    }
  })
})
