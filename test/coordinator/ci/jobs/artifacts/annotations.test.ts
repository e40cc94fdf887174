import { describe, expect, test } from 'vitest'

import { problemOfAnnotations } from '../../../../../src/coordinator/ci/jobs/artifacts/annotations.js'

const LINK = { external_link: { label: 'report', url: 'https://ci.example/report' } }
const SHAPE = 'must be a list of external_link objects, each with a label and an http(s) url'

function lists(count: number): Record<string, unknown> {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`list ${index}`, [LINK]]))
}

describe('annotations', () => {
  test.each<[string, unknown[], string | undefined]>([
    ['links', [{ links: [LINK, LINK] }], undefined],
    ['no file', [], undefined],
    ['an empty list', [{ links: [] }], undefined],
    ['the most there may be', [lists(20)], undefined],
    ['one more', [lists(21)], 'Annotations files cannot have more than 20 annotations'],
    [
      'one more in two files',
      [lists(20), lists(1)],
      'Annotations files cannot have more than 20 annotations',
    ],
    ['a list', [[LINK]], 'Annotations files must be JSON objects of lists'],
    ['a text', ['links'], 'Annotations files must be JSON objects of lists'],
    ['no list', [{ links: LINK }], `Annotation "links" ${SHAPE}`],
    ['another kind', [{ links: [{ internal_link: {} }] }], `Annotation "links" ${SHAPE}`],
    ['more than a link', [{ links: [{ ...LINK, more: 1 }] }], `Annotation "links" ${SHAPE}`],
    [
      'no label',
      [{ links: [{ external_link: { url: 'https://a.example' } }] }],
      `Annotation "links" ${SHAPE}`,
    ],
    [
      'no address',
      [{ links: [{ external_link: { label: 'a', url: 'report' } }] }],
      `Annotation "links" ${SHAPE}`,
    ],
    [
      'a script',
      [{ links: [{ external_link: { label: 'a', url: 'javascript:alert(1)' } }] }],
      `Annotation "links" ${SHAPE}`,
    ],
  ])('%s', (_what, files, problem) => {
    expect(problemOfAnnotations(files.map((file) => Buffer.from(JSON.stringify(file))))).toBe(problem)
  })

  test('that are no JSON', () => {
    expect(problemOfAnnotations([Buffer.from('{')])).toBe('Annotations files must be JSON objects of lists')
  })
})
