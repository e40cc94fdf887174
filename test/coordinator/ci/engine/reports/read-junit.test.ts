import { Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'

import { describe, expect, test } from 'vitest'

import { readJunit } from '../../../../../src/coordinator/ci/engine/reports/junit/read-junit.js'
import type { TestCase } from '../../../../../src/coordinator/ci/storage/artifacts/test-reports.js'
import { sampled } from '../../../../support/nightly.js'

async function casesOf(...files: (string | Buffer)[]): Promise<TestCase[]> {
  return collect(readJunit(Readable.from([Buffer.concat(files.map((file) => gzipSync(file, { level: 1 })))])))
}

async function collect(found: AsyncIterable<TestCase>): Promise<TestCase[]> {
  const cases: TestCase[] = []
  for await (const testCase of found) cases.push(testCase)
  return cases
}

function suite(content: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites><testsuite name="s">${content}</testsuite></testsuites>\n`
}

describe('a test case', () => {
  test.each<[string, Partial<TestCase>]>([
    [
      '<testcase classname="C" name="n" file="a.rb" time="0.25"/>',
      {
        status: 'success',
        classname: 'C',
        name: 'n',
        file: 'a.rb',
        execution_time: 0.25,
        system_output: null,
      },
    ],
    ['<testcase/>', { status: 'success', classname: '', name: '', file: null, execution_time: 0 }],
    ['<testcase name="n" time="1,234.5"/>', { execution_time: 1234.5 }],
    ['<testcase name="n" time="soon"/>', { execution_time: 0 }],
    ['<testcase name="n" time="-1"/>', { execution_time: 0 }],
    [
      '<testcase name="n"><failure message="m" type="t">expected &lt;1&gt;</failure></testcase>',
      { status: 'failed', system_output: 'expected <1>' },
    ],
    [
      '<testcase name="n"><failure message="the message"/></testcase>',
      { status: 'failed', system_output: 'the message' },
    ],
    ['<testcase name="n"><failure/></testcase>', { status: 'failed', system_output: null }],
    [
      '<testcase name="n"><failure>one</failure><failure>two</failure></testcase>',
      { status: 'failed', system_output: 'one\n\ntwo' },
    ],
    [
      '<testcase name="n"><system-out>out</system-out><error><![CDATA[a & b]]></error><system-err>err</system-err></testcase>',
      { status: 'error', system_output: 'a & b\n\nSystem Out:\n\nout\n\nSystem Err:\n\nerr' },
    ],
    [
      '<testcase name="n"><skipped message="later"/></testcase>',
      { status: 'skipped', system_output: 'later' },
    ],
    ['<testcase name="n"><skipped/></testcase>', { status: 'skipped', system_output: null }],
    // A failure counts more than an error, and both more than having been skipped.
    ['<testcase name="n"><skipped/><error/><failure/></testcase>', { status: 'failed' }],
    ['<testcase name="n"><skipped/><error/></testcase>', { status: 'error' }],
    [
      '<testcase name="n"><system-out>passed</system-out></testcase>',
      { status: 'success', system_output: null },
    ],
    [
      '<testcase name="n"><failure>f</failure><system-out>see [[ATTACHMENT|shots/a b.png]]</system-out></testcase>',
      { attachment: 'shots/a b.png' },
    ],
    // Output of programs is full of what XML has no room for.
    [
      '<testcase name="n"><failure>\u001b[31mred\u001b[0m</failure></testcase>',
      { system_output: '[31mred[0m' },
    ],
    [
      '<testcase name="n"><properties><property name="failure"/></properties></testcase>',
      { status: 'success' },
    ],
    ['<testcase name="größe &amp; &#x41;"/>', { name: 'größe & A' }],
  ])('%s', async (content, expected) => {
    expect(await casesOf(suite(content))).toEqual([expect.objectContaining(expected)])
  })

  test('has its texts cut where they are too long', async () => {
    const [found] = await casesOf(
      suite(`<testcase name="${'n'.repeat(5000)}"><failure>${'f'.repeat(200_000)}</failure></testcase>`),
    )
    expect([found?.name.length, found?.system_output?.length]).toEqual([1024, 65_536])
  })
})

const ONE = '<testcase name="one"/>'

describe('the cases of a report', () => {
  test.each<[string, string, string[]]>([
    [
      'suites inside suites',
      suite(`${ONE}<testsuite><testcase name="two"/></testsuite><testcase name="three"/>`),
      ['one', 'two', 'three'],
    ],
    ['a suite that is the root', `<testsuite>${ONE}</testsuite>`, ['one']],
    ['what is no suite', `<results>${ONE}</results>`, []],
    ['suites without cases', '<testsuites><testsuite/></testsuites>', []],
    [
      'a document type without entities',
      `<!DOCTYPE testsuites><testsuites><testsuite>${ONE}</testsuite></testsuites>`,
      ['one'],
    ],
    ['a comment at the end', `${suite(ONE)}<!-- made by a tool -->`, ['one']],
  ])('%s', async (_what, text, names) => {
    expect((await casesOf(text)).map(({ name }) => name)).toEqual(names)
  })

  test('are those of all its files, packed one by one or as one', async () => {
    const [one, two] = [suite(ONE), `\ufeff${suite('<testcase name="two"/>')}`]
    expect((await casesOf(one, two)).map(({ name }) => name)).toEqual(['one', 'two'])
    expect((await casesOf(one + two)).map(({ name }) => name)).toEqual(['one', 'two'])
  })

  test('come out alike however the bytes are cut', async () => {
    const packed = gzipSync(suite('<testcase name="ü"><failure>a\r\nb</failure></testcase>') + suite(ONE), {
      level: 0,
    })
    const bytes = [...packed].map((byte) => Buffer.from([byte]))
    expect((await collect(readJunit(Readable.from(bytes)))).map(({ name }) => name)).toEqual(['ü', 'one'])
  })

  test('are read in the encoding that the file names', async () => {
    const text = `<?xml version="1.0" encoding="ISO-8859-1"?><testsuite><testcase name="größe"/></testsuite>`
    expect(await casesOf(Buffer.from(text, 'latin1'))).toEqual([expect.objectContaining({ name: 'größe' })])
  })
})

describe('a report that cannot be read', () => {
  const BROKEN: [text: string | Buffer, problem: RegExp][] = [
    ['', /^JUnit XML parsing failed: /],
    ['no XML', /^JUnit XML parsing failed: 1:\d+: /],
    [`<testsuites><testsuite>${ONE}`, /^JUnit XML parsing failed: .*unclosed tag/],
    ['<testsuites></testsuite>', /^JUnit XML parsing failed: /],
    [`${suite(ONE)}and more`, /^JUnit XML parsing failed: /],
    // Entities that a file declares: neither its own text many times over nor a file of the server.
    [
      `<!DOCTYPE t [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><testsuite><testcase name="&b;"/></testsuite>`,
      /undefined entity/,
    ],
    [
      `<!DOCTYPE t [<!ENTITY f SYSTEM "file:///etc/passwd">]><testsuite><testcase><failure>&f;</failure></testcase></testsuite>`,
      /undefined entity/,
    ],
    ['<a>'.repeat(200), /the depth of the elements exceeds the limit/],
  ]
  const LARGE: (() => [text: string | Buffer, problem: RegExp])[] = [
    () => [`<testsuite>${'<testcase/>'.repeat(200_001)}</testsuite>`, /more than 200000 test cases/],
    () => [`<testsuite><testcase><failure>${' '.repeat(20 * 1024 * 1024)}`, /an element exceeds the limit/],
    () => [
      Buffer.alloc(70 * 1024 * 1024, `<testsuite>${' '.repeat(1000)}</testsuite>`),
      /more than 5000 test files/,
    ],
    () => [`<testsuite>${`<a>${' '.repeat(1000)}</a>`.repeat(70_000)}`, /more than 67108864 bytes/],
  ]

  test.each(BROKEN)('%#', async (text, problem) => {
    await expect(casesOf(text)).rejects.toThrow(problem)
  })

  // To make and read these takes seconds.
  test.each(sampled(LARGE, 1))('because it is too large: %#', async (make) => {
    const [text, problem] = make()
    await expect(casesOf(text)).rejects.toThrow(problem)
  })

  test('because it is not packed', async () => {
    await expect(collect(readJunit(Readable.from([Buffer.from(suite(ONE))])))).rejects.toThrow(
      /^JUnit data parsing failed: incorrect header check/,
    )
  })

  test('because its end is missing', async () => {
    const packed = gzipSync(suite(ONE.repeat(1000)))
    await expect(collect(readJunit(Readable.from([packed.subarray(0, packed.length - 20)])))).rejects.toThrow(
      /^JUnit data parsing failed: /,
    )
  })

  test('because the store failed is an error of the store', async () => {
    const broken = Readable.from(
      (async function* () {
        yield gzipSync(suite(ONE)).subarray(0, 20)
        throw new Error('the disk is gone')
      })(),
    )
    await expect(collect(readJunit(broken))).rejects.toThrow(/^the disk is gone$/)
  })
})
