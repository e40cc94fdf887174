import { describe, expect, test } from 'vitest'

import { errorsOf, jobOf, variablesOf } from './support/compile-text.js'

describe('extends', () => {
  test('merges maps and replaces lists and scalars', async () => {
    const job = await jobOf(
      `
.b: {variables: {A: 1, B: 1}, script: [x], image: {name: i, entrypoint: [""]}}
job: {extends: .b, variables: {B: 2, C: 2}, script: [y], image: {name: j}}`,
      'job',
    )
    expect(variablesOf(job)).toEqual({ A: '1', B: '2', C: '2' })
    expect(job.options.script).toEqual(['y'])
    expect(job.options.image).toEqual({ name: 'j', entrypoint: [''] })
  })

  test.each([
    [
      'the last base wins',
      '.p: {stage: build, script: [x]}\n.q: {stage: deploy}\njob: {extends: [.p, .q]}',
      'deploy',
    ],
    [
      'a chain is followed',
      '.a: {stage: build}\n.b: {extends: .a, script: [x]}\njob: {extends: .b}',
      'build',
    ],
    ['a visible job may be a base', 'a: {stage: build, script: [x]}\njob: {extends: a}', 'build'],
    ['null drops a key', '.a: {stage: build, script: [x]}\njob: {extends: .a, stage: null}', 'test'],
  ])('%s', async (_, text, stage) => {
    expect((await jobOf(text, 'job')).stage).toBe(stage)
  })

  test('a string replaces a map and a map a string', async () => {
    const text = '.m: {image: {name: i, entrypoint: [x]}, script: [x]}\n.s: {image: i, script: [x]}\n'
    expect((await jobOf(`${text}job: {extends: .m, image: j}`, 'job')).options.image).toEqual({ name: 'j' })
    const other = await jobOf(`${text}job: {extends: .s, image: {name: j}}`, 'job')
    expect(other.options.image).toEqual({ name: 'j' })
  })

  test('a base may hold what no job may', async () => {
    expect(await errorsOf('.a: {foo: {x: 1}, script: [x]}\njob: {extends: .a, foo: null}')).toEqual([
      'jobs:job config contains unknown keys: foo',
    ])
    expect(await errorsOf('.a: {foo: 1}\njob: {script: [x]}')).toEqual([])
  })

  test.each([
    ['job: {extends: .a}', 'job: unknown keys in `extends` (.a)'],
    ['job: {extends: [.a, .b]}\n.b: {x: 1}', 'job: unknown keys in `extends` (.a)'],
    ['job: {extends: [.a, .b]}', 'job: unknown keys in `extends` (.a, .b)'],
    ['.a: [x]\njob: {extends: .a}', 'job: invalid base hashes in `extends` (.a)'],
    ['job: {extends: job}', 'job: circular dependency detected in `extends`'],
    ['a: {extends: b}\nb: {extends: a}', 'a: circular dependency detected in `extends`'],
    ['job: {extends: 1, script: [x]}', 'jobs:job extends should be an array of strings or a string'],
  ])('%j is refused', async (text, message) => {
    expect(await errorsOf(text)).toEqual([message])
  })

  test('a job and eleven bases is the deepest chain', async () => {
    expect(await errorsOf(chain(11))).toEqual([])
    expect(await errorsOf(chain(12))).toEqual(['.b11: nesting too deep in `extends`'])
    expect(await errorsOf(chain(12, 'backwards'))).toEqual(['.b11: nesting too deep in `extends`'])
    expect(await errorsOf(chain(5000))).toEqual(['.b11: nesting too deep in `extends`'])
  })

  test('bases that multiply end in a clear error', async () => {
    const wide = `.w: {variables: {${numbered(5000, (n) => `V${n}: x`)}}}`
    const jobs = Array.from(
      { length: 3000 },
      (_, n) => `j${n}: {extends: .w, variables: {A: x}, script: [x]}`,
    )
    expect(await errorsOf([wide, ...jobs].join('\n'))).toEqual(['The parsed YAML is too big'])
    const shared = `.s: {script: [${numbered(9000, () => 'x')}]}`
    const users = Array.from({ length: 3000 }, (_, n) => `j${n}: {extends: .s}`)
    expect(await errorsOf([shared, ...users].join('\n'))).toEqual(['The parsed YAML is too big'])
  })
})

/** job -> .b1 -> .b2 … -> .b<bases>; backwards, the deepest base is resolved first. */
function chain(bases: number, order?: 'backwards'): string {
  const links = Array.from({ length: bases - 1 }, (_, n) => `.b${n + 1}: {extends: .b${n + 2}}`)
  const entries = ['job: {extends: .b1}', ...links, `.b${bases}: {script: [x]}`]
  return (order ? entries.reverse() : entries).join('\n')
}

function numbered(count: number, make: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => make(index)).join(', ')
}
