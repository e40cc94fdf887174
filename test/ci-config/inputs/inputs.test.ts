import { describe, expect, test } from 'vitest'

import type { ConfigData } from '../../../src/ci-config/plan.js'
import { compileProject, jobsOf, problemsOf, withVariables } from '../support/compile-project.js'
import { errorsOf, jobOf, variablesOf } from '../support/compile-text.js'

/** What an input comes to, as the text of a variable. */
async function valueOf(definition: string, given?: ConfigData): Promise<string | undefined> {
  const text = `spec: {inputs: {n: ${definition}}}\n---\nj: {script: x, variables: {V: "$[[ inputs.n ]]"}}`
  const job = await jobOf(text, 'j', given === undefined ? {} : { inputs: { n: given } })
  return variablesOf(job)['V']
}

/** What is wrong with an input. */
async function problemOf(definition: string, given?: ConfigData): Promise<string[]> {
  const text = `spec: {inputs: {n: ${definition}}}\n---\nj: {script: "$[[ inputs.n ]]"}`
  return errorsOf(text, given === undefined ? {} : { inputs: { n: given } })
}

describe('an input takes', () => {
  test.each<[string, string, ConfigData | undefined, string]>([
    ['a text', 'null', 'x', 'x'],
    ['its default', '{default: d}', undefined, 'd'],
    ['a value over its default', '{default: d}', 'x', 'x'],
    ['an empty text', '{default: d}', '', ''],
    ['a number', '{type: number}', 5, '5'],
    ['a fraction', '{type: number}', 1.5, '1.5'],
    ['a number as text', '{type: number}', '5', '5'],
    ['a boolean', '{type: boolean}', false, 'false'],
    ['a boolean as text', '{type: boolean}', 'true', 'true'],
    ['one of its options', '{options: [a, b]}', 'b', 'b'],
    ['one of its numbers', '{type: number, options: [1, 2]}', 2, '2'],
    ['a text that fits', '{regex: ^v\\d+$}', 'v12', 'v12'],
    ['a text that fits somewhere', '{regex: \\d}', 'v12', 'v12'],
    ['a text that has a description', '{description: what for}', 'x', 'x'],
  ])('%s', async (_, definition, given, value) => {
    expect(await valueOf(definition, given)).toBe(value)
  })
})

describe('an input refuses', () => {
  test.each<[string, string, ConfigData | undefined, string]>([
    ['nothing', 'null', undefined, '`n` input: required value has not been provided'],
    ['a number for a text', 'null', 1, '`n` input: provided value is not a string'],
    ['a text for a number', '{type: number}', 'x', '`n` input: provided value is not a number'],
    ['a number for a boolean', '{type: boolean}', 1, '`n` input: provided value is not a boolean'],
    ['a text for a list', '{type: array}', 'x', '`n` input: provided value is not an array'],
    [
      'a default of another type',
      '{type: number, default: x}',
      undefined,
      '`n` input: default value is not a number',
    ],
    [
      'another option',
      '{options: [a, b]}',
      'c',
      '`n` input: `c` cannot be used because it is not in the list of allowed options',
    ],
    [
      'another number',
      '{type: number, options: [1]}',
      2,
      '`n` input: `2` cannot be used because it is not in the list of the allowed options',
    ],
    [
      'a text that does not fit',
      '{regex: ^v}',
      'x',
      '`n` input: provided value does not match required RegEx pattern',
    ],
    [
      'a default that does not fit',
      '{regex: ^v, default: x}',
      undefined,
      '`n` input: default value does not match required RegEx pattern',
    ],
    ['a broken pattern', '{regex: "("}', 'x', '`n` input: invalid regular expression'],
    [
      'a pattern for a number',
      '{type: number, regex: x}',
      1,
      '`n` input: RegEx validation can only be used with string inputs',
    ],
    [
      'options for a boolean',
      '{type: boolean, options: [true]}',
      true,
      '`n` input: Options can only be used with string and number inputs',
    ],
    [
      'an unknown type',
      '{type: text}',
      'x',
      'unknown input specification for `n` (valid types: array, boolean, number, string)',
    ],
    ['a list as definition', '[1]', 'x', 'header:spec:inputs:n config should be a hash'],
    ['an unknown key', '{foo: 1}', 'x', 'header:spec:inputs:n config contains unknown keys: foo'],
    [
      'rules and a default',
      '{rules: [], default: x}',
      'x',
      'header:spec:inputs:n config these keys cannot be used together: rules, default',
    ],
    [
      'too many options',
      `{options: [${'a,'.repeat(51)}]}`,
      'a',
      'header:spec:inputs:n config cannot define more than 50 options',
    ],
  ])('%s', async (_, definition, given, message) => {
    expect(await problemOf(definition, given)).toEqual([message])
  })

  test('names that the file does not know, three complaints at most', async () => {
    const text = 'spec: {inputs: {a: null, b: null, c: null}}\n---\nj: {script: x}'
    expect(await errorsOf(text, { inputs: { x: 1, y: 2 } })).toEqual([
      'unknown input arguments: x, y, `a` input: required value has not been provided, `b` input: required value has not been provided',
    ])
  })

  test('anything for a file without a header', async () => {
    expect(await errorsOf('j: {script: x}', { inputs: { a: 1 } })).toEqual([
      'Given inputs not defined in the `spec` section of the included configuration file',
    ])
  })

  test('more than twenty at once', async () => {
    const inputs = Object.fromEntries(Array.from({ length: 21 }, (_, index) => [`i${index}`, 'x']))
    expect(await errorsOf('spec: {inputs: {}}\n---\nj: {script: x}', { inputs })).toEqual([
      'There cannot be more than 20 inputs',
    ])
  })

  test('a header with other keys', async () => {
    expect(await errorsOf('spec: {foo: 1}\n---\nj: {script: x}')).toEqual([
      'header:spec config contains unknown keys: foo',
    ])
  })

  test('in the words of the included file', async () => {
    const files = {
      '.gitlab-ci.yml': 'include: a.yml',
      'a.yml': 'spec: {inputs: {n: null}}\n---\nj: {script: x}',
    }
    expect(await problemsOf(files)).toEqual(['`a.yml`: `n` input: required value has not been provided'])
  })
})

describe('rules of an input', () => {
  const text = `spec:
  inputs:
    size:
      rules:
        - if: $[[ inputs.cloud ]] == "big"
          options: [l, xl]
          default: l
        - if: $[[ inputs.cloud ]] == "none"
        - {default: s}
    cloud: {default: small}
---
j: {script: "$[[ inputs.size ]]"}`

  test.each<[Record<string, string>, string]>([
    [{}, 's'],
    [{ cloud: 'big' }, 'l'],
    [{ cloud: 'big', size: 'xl' }, 'xl'],
    [{ cloud: 'none', size: 'any' }, 'any'],
  ])('%j', async (inputs, line) => {
    expect((await jobOf(text, 'j', { inputs })).options.script).toEqual([line])
  })

  test('the first that holds refuses what is not among its options', async () => {
    expect(await errorsOf(text, { inputs: { cloud: 'big', size: 's' } })).toEqual([
      '`size` input: `s` cannot be used because it is not in the list of allowed options',
    ])
    expect(await errorsOf(text, { inputs: { cloud: 'none' } })).toEqual([
      '`size` input: required value has not been provided',
    ])
  })
})

describe('a block', () => {
  const header = `spec:
  inputs:
    s: {default: a b}
    e: {default: ""}
    l: {type: array, default: [x, {k: y}, [z]]}
    b: {type: boolean, default: false}
    t: {type: number, default: 20}
    m: {type: array, default: [{k: [one, two]}]}
    d: {type: array, default: [[[[[[42]]]]]]}
    v: {default: "$KNOWN-\${UNKNOWN}"}
    p: {default: "$SECRET"}
    q: {default: "$[[ inputs.s ]]"}
---
`
  const known = withVariables({ KNOWN: '$OTHER', OTHER: 'o' }, { SECRET: 'hunter2' })

  test.each<[string, string]>([
    ['$[[ inputs.s ]]', 'a b'],
    ['$[[inputs.s]]', 'a b'],
    ['<$[[ inputs.s ]]|$[[ inputs.t ]]>', '<a b|20>'],
    ['<$[[ inputs.b ]]>', '<false>'],
    ['<$[[ inputs.l ]]>', '<["x", {"k": "y"}, ["z"]]>'],
    ['$[[ inputs.l[0] ]]', 'x'],
    ['$[[ inputs.l[1].k ]]', 'y'],
    ['$[[inputs.m[0].k[1]]]', 'two'],
    ['<$[[ inputs.d[0][0][0][0][0] ]]>', '<[42]>'],
    ['$[[ inputs.s | truncate(0,1) ]]', 'a'],
    ['$[[ inputs.s | truncate(2, 9) ]]', 'b'],
    ['$[[ inputs.s | posix_escape ]]', 'a\\ b'],
    ['$[[ inputs.e | posix_escape ]]', "''"],
    ['$[[ inputs.v | expand_vars ]]', '$OTHER-${UNKNOWN}'],
    ['$[[ inputs.s | truncate(0,2) | posix_escape ]]', 'a\\ '],
    ['$[[ matrix.X ]]', '$[[ matrix.X ]]'],
    ['$[[ inputs.q ]]', '$[[ inputs.s ]]'],
    ['$[[ not closed', '$[[ not closed'],
  ])('%s', async (block, line) => {
    const job = await jobOf(`${header}j: {script: ['${block.replaceAll("'", "''")}']}`, 'j', known)
    expect(job.options.script).toEqual([line])
  })

  test.each<[string, string]>([
    ['$[[ inputs.none ]]', 'unknown interpolation provided: `none` in `inputs.none`'],
    ['$[[ other.s ]]', 'unknown interpolation provided: `other` in `other.s`'],
    ['$[[ inputs.s.x ]]', 'unknown interpolation provided: `x` in `inputs.s.x`'],
    ['$[[ inputs.l[9] ]]', 'array index 9 out of bounds (size: 3) in `inputs.l[9]`'],
    ['$[[ inputs.l[0][0] ]]', 'cannot index into non-array value in `inputs.l[0][0]`'],
    ['$[[ inputs.s[0] ]]', 'cannot index into non-array value in `inputs.s[0]`'],
    ['$[[ inputs.none[0] ]]', 'unknown interpolation provided: `none` in `inputs.none[0]`'],
    ['$[[ inputs.l[-1] ]]', 'invalid array index in `inputs.l[-1]`: `-1` is not a valid index'],
    ['$[[ inputs.l[a] ]]', 'invalid array index in `inputs.l[a]`: `a` is not a valid index'],
    ['$[[ inputs.l[] ]]', 'invalid array index in `inputs.l[]`: `` is not a valid index'],
    ['$[[ inputs.l[0 ]]', 'invalid array index in `inputs.l[0`: missing closing bracket'],
    ['$[[ inputs.l[0]x ]]', 'invalid array index syntax in `inputs.l[0]x`'],
    ['$[[ inputs.m[0].[1] ]]', 'invalid indexed access without a key in `inputs.m[0].[1]`'],
    [
      '$[[ inputs.d[0][0][0][0][0][0] ]]',
      'too many array indices in `inputs.d[0][0][0][0][0][0]` (maximum depth: 5)',
    ],
    ['$[[ component.name ]]', 'unknown interpolation provided: `name` in `component.name`'],
    ['$[[ inputs ]]', 'invalid pattern used for interpolation. valid pattern is $[[ inputs.input ]]'],
    ['$[[ ]]', 'invalid pattern used for interpolation. valid pattern is $[[ inputs.input ]]'],
    ['$[[ inputs.a b ]]', 'invalid pattern used for interpolation. valid pattern is $[[ inputs.input ]]'],
    ['$[[ inputs.a.b.c.d.e ]]', 'unknown interpolation provided: `a` in `inputs.a.b.c.d.e`'],
    ['$[[ inputs.s | a | b | c | d ]]', 'too many functions in interpolation block'],
    [
      '$[[ inputs.s | shout ]]',
      'no function matching `shout`: check that the function name, arguments, and types are correct',
    ],
    [
      '$[[ inputs.l | expand_vars ]]',
      'error in `expand_vars` function: invalid input type: expand_vars can only be used with string inputs',
    ],
    [
      '$[[ inputs.t | truncate(0,1) ]]',
      'error in `truncate` function: invalid input type: truncate can only be used with string inputs',
    ],
    [
      '$[[ inputs.b | posix_escape ]]',
      'error in `posix_escape` function: invalid input type: posix_escape can only be used with string inputs',
    ],
    [
      "$[[ inputs.t | split(',') ]]",
      'error in `split` function: invalid input type: split can only be used with string inputs',
    ],
    [
      '$[[ inputs.p | expand_vars ]]',
      'error in `expand_vars` function: variable expansion error: masked variables cannot be expanded',
    ],
    [`$[[ inputs.${'x'.repeat(1024)} ]]`, 'maximum interpolation expression size exceeded'],
  ])('%s is refused', async (block, message) => {
    expect(await errorsOf(`${header}j: {script: ["${block}"]}`, known)).toEqual([message])
  })

  test('stays as it is in a file without a header', async () => {
    expect((await jobOf('j: {script: ["$[[ inputs.s ]]"]}', 'j')).options.script).toEqual(['$[[ inputs.s ]]'])
  })

  test('alone keeps the type of its value', async () => {
    const text = `${header}j: {script: "$[[ inputs.m[0].k ]]", allow_failure: "$[[ inputs.b ]]"}`
    expect(await jobOf(text, 'j')).toMatchObject({ allowFailure: false, options: { script: ['one', 'two'] } })
  })

  test('in a list puts the items of its list there', async () => {
    const text = `spec: {inputs: {l: {type: array, default: [b, c]}}}\n---\nj: {script: x, tags: [a, "$[[ inputs.l ]]", d]}`
    expect((await jobOf(text, 'j')).tags).toEqual(['a', 'b', 'c', 'd'])
  })

  test('may stand in a key', async () => {
    const text = `spec: {inputs: {n: {default: name}}}\n---\n"$[[ inputs.n ]]-job": {script: x}`
    expect((await jobOf(text, 'name-job')).name).toBe('name-job')
  })

  test('may stand in what is included, and in a reference', async () => {
    const files = {
      '.gitlab-ci.yml': 'spec: {inputs: {f: {default: a}}}\n---\ninclude: "$[[ inputs.f ]].yml"',
      'a.yml':
        'spec: {inputs: {k: {default: script}}}\n---\n.h: {script: [x]}\nj: {script: !reference [.h, "$[[ inputs.k ]]"]}',
    }
    expect((await jobsOf(files))['j']?.options.script).toEqual(['x'])
  })

  test('names facts of its component', async () => {
    const component =
      'spec: {component: [name, version, sha]}\n---\nj: {script: "$[[ component.name ]]@$[[ component.version ]]"}'
    const files = { '.gitlab-ci.yml': 'include: {component: host/a/lib/one@v1}' }
    const jobs = await jobsOf(
      files,
      { projects: { 'a/lib': { 'templates/one.yml': component } } },
      withVariables({ CI_SERVER_FQDN: 'host' }),
    )
    expect(jobs['j']?.options.script).toEqual(['one@v1'])
  })

  test('that is wrong is pointed at, and what it brought is where it was written', async () => {
    const wrong = await compileProject({
      '.gitlab-ci.yml': 'spec: {}\n---\nj:\n  script: x\n  tags: $[[ inputs.x ]]\n',
    })
    expect(wrong).toMatchObject({ problems: [{ path: ['j', 'tags'], location: { line: 5, column: 3 } }] })
    const moved = await compileProject({
      '.gitlab-ci.yml':
        'spec: {inputs: {n: {default: j}}}\n---\n"$[[ inputs.n ]]":\n  script: x\n  tags: 1\n',
    })
    expect(moved).toMatchObject({ problems: [{ path: ['j', 'tags'], location: { line: 5, column: 3 } }] })
  })

  test('is not looked for in what another file brought', async () => {
    const files = {
      '.gitlab-ci.yml': 'spec: {inputs: {n: {default: mine}}}\n---\ninclude: a.yml',
      'a.yml': 'j: {script: "$[[ inputs.n ]]"}',
    }
    expect((await jobsOf(files))['j']?.options.script).toEqual(['$[[ inputs.n ]]'])
  })
})

describe('interpolation that multiplies ends in a clear error', () => {
  const big = 'x'.repeat(500_000)

  test('a long value in many places', async () => {
    const lines = `["${'$[[ inputs.v ]]", "a$[[ inputs.v ]]'.repeat(100)}"]`
    const text = `spec: {inputs: {v: {default: ${big}}}}\n---\nj: {script: ${lines}}`
    expect(await errorsOf(text)).toEqual(['config node too large'])
  })

  test('a long value shared by many', async () => {
    const lines = `[${'"$[[ inputs.v ]]",'.repeat(500)}]`
    const text = `spec: {inputs: {v: {default: ${big}}}}\n---\nj: {script: ${lines}}`
    expect(await errorsOf(text)).toEqual(['The parsed YAML is too big'])
  })

  test('one text that becomes too long', async () => {
    const text = `spec: {inputs: {v: {default: ${big}}}}\n---\nj: {script: "${'$[[ inputs.v ]]'.repeat(50)}"}`
    expect(await errorsOf(text)).toEqual(['config node too large'])
  })

  test('very many different blocks', async () => {
    const blocks = Array.from({ length: 10_001 }, (_, index) => `"$[[ inputs.v | truncate(0,${index}) ]]"`)
    const text = `spec: {inputs: {v: {default: x}}}\n---\nj: {script: [${blocks.join(',')}]}`
    expect(await errorsOf(text)).toEqual(['too many interpolation blocks'])
  })

  test('values that files hand on to one another, deeper each time', async () => {
    const nested = `${'['.repeat(90)}${']'.repeat(90)}`
    const files = {
      '.gitlab-ci.yml': `include: {local: a.yml, inputs: {l: ${nested}}}`,
      'a.yml': `spec: {inputs: {l: {type: array}}}\n---\ninclude: {local: a.yml, inputs: {l: [["$[[ inputs.l ]]"]]}}`,
    }
    const [message] = await problemsOf(files)
    expect(message).toContain('The parsed YAML is too big')
  })
})

describe('a list in the middle of a text is written with a blank after each comma', () => {
  test.each<[ConfigData, string]>([
    [['one', 'two three'], '["one", "two three"]'],
    [[], '[]'],
    [[1, 1.5, true, null], '[1, 1.5, true, null]'],
    [['say "hi"'], String.raw`["say \"hi\""]`],
    [[{ name: 'a', tags: ['b', 'c'] }, []], '[{"name": "a", "tags": ["b", "c"]}, []]'],
  ])('%j', async (given, text) => {
    const file = 'spec: {inputs: {l: {type: array}}}\n---\nj: {script: "echo $[[ inputs.l ]]"}'
    expect((await jobOf(file, 'j', { inputs: { l: given } })).options.script).toEqual([`echo ${text}`])
  })
})

test('split makes a list of the parts of a text', async () => {
  const file = (block: string) => `spec: {inputs: {l: null}}\n---\nj: {script: x, tags: "${block}"}`
  const inputs = { l: 'docker, linux,, arm64 ' }
  const job = await jobOf(file("$[[ inputs.l | split(',') ]]"), 'j', { inputs })
  expect(job.tags).toEqual(['docker', 'linux', 'arm64'])
  expect(await errorsOf(file("$[[ inputs.l | split('') ]]"), { inputs })).toEqual([
    'error in `split` function: invalid argument: separator cannot be empty',
  ])
})
