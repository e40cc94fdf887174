import { readFileSync } from 'node:fs'

import { describe, expect, test } from 'vitest'

import { type Citation, citationsIn } from './citations.js'
import { type Heading, headingsOf } from './markdown.js'
import { textFiles } from './text-files.js'

interface CitedDocument {
  /** Where it is; a document without a path is not written yet, and what cites it is not looked up. */
  path?: string
  /** What its sections are called. */
  section: RegExp
}

const DOCUMENTS = new Map<string, CitedDocument>([
  ['CI language', { path: 'docs/reference/ci-language.md', section: /\d+(?:\.\d+)?/ }],
  ['runner protocol', { path: 'docs/reference/runner-protocol.md', section: /\d+(?:\.\d+)?/ }],
  ['API', { path: 'docs/reference/api.md', section: /[A-N]\d*[a-z]?/ }],
  ['architecture', { path: 'docs/architecture.md', section: /decision \d+|"[^"]+"/ }],
])

const SECTIONS = new Map([...DOCUMENTS].map(([name, { section }]) => [name, section]))

describe('citations in src/, test/ and docs/', () => {
  test('lead to a heading that holds what they point to', () => {
    const headings = new Map([...DOCUMENTS].map(([name, { path }]) => [name, path && sectionsOf(path)]))
    const files = [
      ...textFiles('src', '.ts'),
      ...textFiles('test', '.ts').filter(({ path }) => !path.startsWith('test/docs/')),
      ...textFiles('docs', '.md'),
    ]
    const problems = files.flatMap(({ path, text }) =>
      citationsIn(text, SECTIONS).flatMap((citation) => {
        const told =
          'malformed' in citation ? [`cannot read (${citation.malformed}`] : missing(citation, headings)
        return told.map((problem) => `${path}:${citation.line}: ${problem}`)
      }),
    )
    expect(problems).toEqual([])
  })
})

/** By the number or the quoted text at their beginning: `14.3`, `A9a`, `decision 7`, `"Coordinator"`. */
function sectionsOf(path: string): Map<string, Heading> {
  return new Map(
    headingsOf(readFileSync(path, 'utf8')).flatMap((heading): [string, Heading][] => {
      const [, decision] = /^decision (\d+)\b/i.exec(heading.text) ?? []
      const [, number] = /^(\d+(?:\.\d+)?|[A-N]\d*[a-z]?)(?:[ .:]|$)/.exec(heading.text) ?? []
      const name = decision === undefined ? number : `decision ${decision}`
      return [
        ...(name === undefined ? [] : [[name, heading] as [string, Heading]]),
        [`"${heading.text}"`, heading],
      ]
    }),
  )
}

function missing(
  { document, sections, detail }: Citation,
  headings: ReadonlyMap<string, Map<string, Heading> | undefined | ''>,
): string[] {
  const known = headings.get(document)
  if (!known) return []
  const absent = sections.filter((section) => !known.has(section))
  if (absent.length > 0) return absent.map((section) => `${document} has no section ${section}`)
  const body = known.get(sections.at(-1) ?? '')?.body ?? ''
  if (!detail) return []
  const parts = 'text' in detail ? [detail.text] : detail.numbers
  return parts
    .filter((part) => !('text' in detail ? holdsText(body, part) : holdsNumber(body, part)))
    .map((part) => `${document}, ${sections.join(', ')} does not hold ${part}`)
}

function holdsText(body: string, text: string): boolean {
  return body.toLowerCase().includes(text.toLowerCase())
}

/** An item of a numbered list, or a row of a table whose first cell is the number. */
function holdsNumber(body: string, number: string): boolean {
  return new RegExp(`^\\s*(?:${number}\\. |\\| *${number}\\b)`, 'm').test(body)
}

describe('reading citations', () => {
  test.each<[text: string, read: unknown[]]>([
    ['/** Why (CI language, 14.3). */', [{ document: 'CI language', sections: ['14.3'], line: 1 }]],
    ['/** CI language, 12.2. */', [{ document: 'CI language', sections: ['12.2'], line: 1 }]],
    ['(API, A9 and A9a)', [{ document: 'API', sections: ['A9', 'A9a'], line: 1 }]],
    ['(runner protocol, 2 to 4)', [{ document: 'runner protocol', sections: ['2', '3', '4'], line: 1 }]],
    [
      '/**\n * Why it is so (RFC 6749, 4.1; CI\n * language, 15.2 to 15.4; architecture,\n * decision 7).\n */',
      [
        { document: 'CI language', sections: ['15.2', '15.3', '15.4'], line: 2 },
        { document: 'architecture', sections: ['decision 7'], line: 3 },
      ],
    ],
    [
      '(CI language, 1.1, steps 2 to 4)',
      [{ document: 'CI language', sections: ['1.1'], detail: { numbers: ['2', '3', '4'] }, line: 1 }],
    ],
    [
      '(CI language, 8.7, `CI_JOB_TOKEN`)',
      [{ document: 'CI language', sections: ['8.7'], detail: { text: 'CI_JOB_TOKEN' }, line: 1 }],
    ],
    ['(CI language, section 8)', [{ malformed: 'CI language, section 8)', line: 1 }]],
    ['(CI language, 14.3 and others)', [{ malformed: 'CI language, 14.3 and others)', line: 1 }]],
    ['// API, on which clients rely', []],
  ])('%j', (text, read) => {
    expect(citationsIn(text, SECTIONS)).toEqual(read)
  })
})
