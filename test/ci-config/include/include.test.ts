import { createHash } from 'node:crypto'

import { afterEach, describe, expect, test, vi } from 'vitest'

import { compile } from '../../../src/ci-config/compile.js'
import type { RemoteText } from '../../../src/ci-config/sources.js'
import { deferred } from '../../../src/lib/deferred.js'
import { compileProject, jobsOf, problemsOf, withVariables } from '../support/compile-project.js'
import { pushOfMain } from '../support/compile-text.js'
import { projectSources, SHA, type Surroundings } from '../support/project-sources.js'

const job = (name: string, line = name): string => `${name}: {script: ${line}}`
const REMOTE = 'https://example.com/ci/x.yml'
const DIGEST = createHash('sha256').update(job('r')).digest('base64')

const around: Surroundings = {
  projects: {
    'other/lib': {
      'ci.yml': `include: nested.yml\n${job('a')}`,
      'nested.yml': job('n'),
      'templates/one.yml': job('c'),
      'templates/two/template.yml': 'spec: {inputs: {w: null}}\n---\nc2: {script: "$[[ inputs.w ]]"}',
      'empty.yml': ' ',
    },
  },
  refs: ['v1'],
  remote: {
    [REMOTE]: job('r'),
    'https://example.com/empty.yml': '',
    'https://example.com/local.yml': 'include: x.yml',
    'https://example.com/down.yml': { kind: 'failed', reason: 'after 3 attempts because of a socket error' },
  },
  templates: { 'T.gitlab-ci.yml': job('t') },
}

const files = {
  'x.yml': job('x'),
  'ci/a.yml': job('ca'),
  'ci/b.yaml': job('cb'),
  'ci/deep/c.yml': job('cc'),
  'ci/readme.md': 'no',
  'empty.yml': '\n',
  'list.yml': '[a]',
  'broken.yml': 'a: [',
  'nothing.yml': '{}',
  'notes.txt': 'a: b',
}

const server = withVariables({ CI_SERVER_FQDN: 'ci.example.com', FILE: 'x', DIR: 'ci', NO: '' })

describe('include', () => {
  test.each<[string, string, string[]]>([
    ['a string', 'x.yml', ['x']],
    ['a string from the root', '/x.yml', ['x']],
    ['a string that is an address', REMOTE, ['r']],
    ['a list', '[x.yml, {local: ci/a.yml}]', ['x', 'ca']],
    ['nothing', 'null', []],
    ['no entry', '[]', []],
    ['a variable in a string', '$FILE.yml', ['x']],
    ['a variable in a map', '{local: "${DIR}/a.yml"}', ['ca']],
    ['a variable that nobody defined', '{local: "x$U.yml"}', ['x']],
    ['one folder', 'ci/*.yml', ['ca']],
    ['a folder and those in it', 'ci/**.yml', ['ca', 'cc']],
    ['all folders', '"**/*.yml"', ['ca', 'cc']],
    ['a wildcard with a variable, as a string', '$DIR/*.yml', ['ca']],
    ['a wildcard with a variable, in a map', '{local: $DIR/*.yml}', []],
    ['a wildcard that fits nothing', 'no/*.yml', []],
    ['a project', '{project: other/lib, file: ci.yml}', ['n', 'a']],
    ['a project in capitals', '{project: Other/Lib, file: /ci.yml}', ['n', 'a']],
    ['a ref of a project', '{project: other/lib, ref: v1, file: ci.yml}', ['n', 'a']],
    ['several files of a project', '{project: other/lib, file: [nested.yml, ci.yml]}', ['n', 'a']],
    ['a remote file', `{remote: "${REMOTE}"}`, ['r']],
    ['a remote file with its digest', `{remote: "${REMOTE}", integrity: "sha256-${DIGEST}"}`, ['r']],
    ['a remote file that may be older', `{remote: "${REMOTE}", cache: 5 minutes}`, ['r']],
    ['a template', '{template: T.gitlab-ci.yml}', ['t']],
    ['a component', '{component: $CI_SERVER_FQDN/other/lib/one@v1}', ['c']],
    ['a component with inputs', '{component: ci.example.com/other/lib/two@v1, inputs: {w: hello}}', ['c2']],
  ])('%s', async (_, include, names) => {
    const text = `include: ${include}\nmain: {script: m}`
    const jobs = await jobsOf({ ...files, '.gitlab-ci.yml': text }, around, server)
    expect(Object.keys(jobs).sort()).toEqual([...names, 'main'].sort())
  })

  test('of a file that a job of the parent pipeline left', async () => {
    const text = `include: {artifact: out/ci.yml, job: generate}`
    const sources = projectSources({ artifacts: { 'generate:out/ci.yml': job('g') } })
    const origin = { file: 'trigger', commit: { projectPath: 'a/b', sha: SHA }, mayIncludeArtifacts: true }
    expect(await compile(text, sources, { ...pushOfMain, origin })).toMatchObject({
      plan: { jobs: [{ name: 'g' }] },
    })
  })
})

describe('an include is refused', () => {
  const fetched = (what: string): string => `Remote file \`https://example.com/${what}`
  test.each<[string, string]>([
    ['1', 'include config should be an array or a string'],
    ['[1]', 'Each include must be a hash or a string'],
    ['[[x.yml]]', 'Each include must be a hash or a string'],
    [
      '{locl: x.yml}',
      '`{"locl":"x.yml"}` does not have a valid subkey for include. Valid subkeys are: `local`, `project`, `remote`, `template`, `artifact`, `component`',
    ],
    [
      '{local: x.yml, remote: y}',
      'Each include must use only one of: `local`, `project`, `remote`, `template`, `artifact`, `component`',
    ],
    ['{local: x.yml, foo: 1}', 'include config contains unknown keys: foo'],
    ['{local: 1}', 'Included file `1` needs to be a string'],
    ['notes.txt', 'Included file `notes.txt` does not have YAML extension!'],
    ['missing.yml', 'Local file `missing.yml` does not exist!'],
    [
      '../x.yml',
      'Local file `../x.yml` does not exist! A path starts at the top of the repository and has no `.`, `..` or empty parts.',
    ],
    ...[
      ['./one.yml', 'one.yml'],
      ['dir/../one.yml', 'one.yml'],
      ['dir//one.yml', 'dir/one.yml'],
      ['/./one.yml', 'one.yml'],
    ].map(([written, plain]): [string, string] => [
      `${written}`,
      `Local file \`${written}\` does not exist! A path starts at the top of the repository and has no \`.\`, \`..\` or empty parts: write \`${plain}\`.`,
    ]),
    [
      '{project: other/lib, file: ./ci.yml}',
      'Project `other/lib` file `./ci.yml` does not exist! A path starts at the top of the repository and has no `.`, `..` or empty parts: write `ci.yml`.',
    ],
    ['{local: x.yml, cache: true}', 'include config cache can only be specified for remote includes'],
    ['empty.yml', 'Local file `empty.yml` is empty!'],
    ['list.yml', '`list.yml`: Invalid configuration format'],
    ['nothing.yml', 'Included file `nothing.yml` does not have valid YAML syntax!'],
    ['{project: other/lib}', 'include config must specify the file where to fetch the config from'],
    ['{project: other/lib, file: []}', 'include config must specify the file where to fetch the config from'],
    [
      '{project: no/where, file: ci.yml}',
      'Project `no/where` not found or access denied! Make sure any includes in the pipeline configuration are correctly defined.',
    ],
    ['{project: other/lib, ref: v9, file: ci.yml}', 'Project `other/lib` reference `v9` does not exist!'],
    ['{project: other/lib, file: no.yml}', 'Project `other/lib` file `no.yml` does not exist!'],
    ['{project: other/lib, file: empty.yml}', 'Project `other/lib` file `empty.yml` is empty!'],
    ['{project: other/lib, file: [1]}', 'Included file `1` needs to be a string'],
    ['{remote: x.yml}', 'Remote file `x.yml` does not have a valid address!'],
    [
      '{remote: "ftp://example.com/x.yml"}',
      'Remote file `ftp://example.com/x.yml` does not have a valid address!',
    ],
    [
      'https://example.com/no.yml',
      `${fetched('no.yml')}\` could not be fetched after 1 attempt because of HTTP code \`404\` error!`,
    ],
    [
      'https://example.com/down.yml',
      `${fetched('down.yml')}\` could not be fetched after 3 attempts because of a socket error!`,
    ],
    [
      'https://example.com/empty.yml',
      `${fetched('empty.yml')}\` could not be fetched because the response was empty!`,
    ],
    ['https://example.com/local.yml', 'Local file `x.yml` does not have project!'],
    [
      `{remote: "${REMOTE}", integrity: "sha256-${DIGEST.replace(/^./, (c) => (c === 'A' ? 'B' : 'A'))}"}`,
      `Remote file \`${REMOTE}\` failed integrity check!`,
    ],
    [`{remote: "${REMOTE}", integrity: md5-x}`, "include config integrity hash must start with 'sha256-'"],
    [`{remote: "${REMOTE}", integrity: sha256-x}`, 'include config integrity hash must be base64 encoded'],
    [
      `{local: x.yml, integrity: "sha256-${DIGEST}"}`,
      'include config integrity can only be specified for remote includes',
    ],
    [
      `{remote: "${REMOTE}", cache: 10 seconds}`,
      'include config cache should be true or a duration of at least 1 minute',
    ],
    ['{template: T.yml}', 'Template file `T.yml` is not a valid location!'],
    ['{template: ../T.gitlab-ci.yml}', 'Template file `../T.gitlab-ci.yml` is not a valid location!'],
    ['{template: No.gitlab-ci.yml}', 'Included file `No.gitlab-ci.yml` is empty or does not exist!'],
    ['{artifact: x.yml}', 'include config must specify the job where to fetch the artifact from'],
    [
      '{artifact: x.yml, job: a}',
      'Including configs from artifacts is only allowed when triggering child pipelines',
    ],
    [
      '{component: other.host/other/lib/one@v1}',
      "Component 'other.host/other/lib/one@v1' - the component path is not supported",
    ],
    [
      '{component: ci.example.com/one@v1}',
      "Component 'ci.example.com/one@v1' - the component path is not supported",
    ],
    [
      '{component: ci.example.com/other/lib/none@v1}',
      "Component 'ci.example.com/other/lib/none@v1' - content not found",
    ],
    [
      '{component: ci.example.com/no/lib/one@v1}',
      "Component 'ci.example.com/no/lib/one@v1' - project does not exist or you don't have sufficient permissions",
    ],
    [
      '{component: ci.example.com/other/lib/one@~latest}',
      "Component 'ci.example.com/other/lib/one@~latest' - The ~latest version reference is not supported for non-catalog resources. Use a tag, branch, or commit SHA instead.",
    ],
    [
      '{component: ci.example.com/other/lib/one@1.2}',
      "Component 'ci.example.com/other/lib/one@1.2' - The partial semantic version reference is not supported for non-catalog resources. Use a tag, branch, or commit SHA instead.",
    ],
    ['{local: x.yml, inputs: 1}', '`x.yml`: Given inputs must be a hash'],
    [
      '{local: x.yml, inputs: {a: 1}}',
      '`x.yml`: Given inputs not defined in the `spec` section of the included configuration file',
    ],
    ['{local: x.yml, rules: 1}', 'include rules should be an array of hashes'],
    ['{local: x.yml, rules: [{foo: 1}]}', 'include:rules:rule config contains unknown keys: foo'],
    ['{local: x.yml, rules: [{when: manual}]}', 'include:rules:rule when unknown value: manual'],
    ['{local: x.yml, rules: [{if: "$A =="}]}', 'include:rules:rule if invalid expression syntax'],
    [
      '{local: x.yml, rules: [{changes: {paths: [a], compare_to: v9}}]}',
      'include:rules:changes:compare_to is not a valid ref',
    ],
  ])('%s', async (include, message) => {
    const versions = {
      'other/lib@~latest': 'not-in-catalog',
      'other/lib@1.2': 'not-in-catalog',
    } as const
    const text = `include: ${include}\nmain: {script: m}`
    expect(await problemsOf({ ...files, '.gitlab-ci.yml': text }, { ...around, versions }, server)).toEqual([
      message,
    ])
  })

  test('when its own YAML is broken, with the spot in that file', async () => {
    const result = await compileProject({ ...files, '.gitlab-ci.yml': 'include: [x.yml, broken.yml]' })
    expect(result).toMatchObject({ problems: [{ location: { file: 'broken.yml', line: 1, column: 5 } }] })
    expect(result).toHaveProperty('errors.0', expect.stringMatching(/^`broken.yml`: .+ at line 1 column 5$/))
  })

  test('with others at once, each at its own spot', async () => {
    const text = 'include:\n  - no.yml\n  - x.yml\n  - {local: neither.yml}\n'
    const result = await compileProject({ ...files, '.gitlab-ci.yml': text })
    expect(result).toMatchObject({
      errors: ['Local file `no.yml` does not exist!', 'Local file `neither.yml` does not exist!'],
      problems: [{ location: { line: 2, column: 5 } }, { location: { line: 4, column: 5 } }],
    })
  })

  test('in the words of its file, without what is secret', async () => {
    const secret = withVariables({}, { TOKEN: 'hunter2' })
    const text = 'include: {remote: "https://example.com/$TOKEN/no.yml"}'
    const [message] = await problemsOf({ '.gitlab-ci.yml': text }, {}, secret)
    expect(message).toContain('https://example.com/[MASKED]/no.yml')
  })

  test('without a project, where it is local or a component', async () => {
    const context = { ...pushOfMain, ...server }
    const errors = async (text: string) => await compile(text, projectSources(around), context)
    expect(await errors('include: x.yml')).toMatchObject({
      errors: ['Local file `x.yml` does not have project!'],
    })
    expect(await errors('include: {component: ci.example.com/other/lib/one@v1}')).toMatchObject({
      errors: ['Unable to use components outside of a project context'],
    })
  })
})

describe('an including file overrides its included files', () => {
  test('maps are merged, lists and scalars replaced (CI language, 19.3)', async () => {
    const jobs = await jobsOf({
      '.gitlab-ci.yml': 'include: a.yml\njob: {script: [b]}',
      'a.yml': 'job: {script: [a], tags: [t]}',
    })
    expect(jobs['job']).toMatchObject({ tags: ['t'], options: { script: ['b'] } })
  })

  test('the later of two files wins, and a file overrides the files that it includes', async () => {
    const jobs = await jobsOf({
      '.gitlab-ci.yml': 'include: [a.yml, b.yml]',
      'a.yml': 'j: {script: a, tags: [a]}\nk: {script: a}',
      'b.yml': 'include: c.yml\nj: {script: b}',
      'c.yml': 'j: {script: c, stage: build}\nk: {script: c}',
    })
    expect(jobs['j']).toMatchObject({ tags: ['a'], stage: 'build', options: { script: ['b'] } })
    expect(jobs['k']).toMatchObject({ options: { script: ['c'] } })
  })

  test('null replaces', async () => {
    const jobs = await jobsOf({
      '.gitlab-ci.yml': 'include: a.yml\nj: {tags: null}',
      'a.yml': 'default: {tags: [d]}\nj: {script: a, tags: [a]}',
    })
    expect(jobs['j']?.tags).toEqual(['d'])
  })

  test('its hidden entries can be extended and referred to', async () => {
    const jobs = await jobsOf({
      '.gitlab-ci.yml': 'include: a.yml\nj: {extends: .a, after_script: !reference [.a, script]}',
      'a.yml': '.a: {script: [x]}',
    })
    expect(jobs['j']?.options).toMatchObject({ script: ['x'], afterScript: ['x'] })
  })

  test('its keys are pointed at in their own file', async () => {
    const result = await compileProject({
      '.gitlab-ci.yml': 'include: a.yml\nj:\n  script: x\n',
      'a.yml': 'j:\n  tags: 1\n',
    })
    expect(result).toMatchObject({ problems: [{ location: { file: 'a.yml', line: 2, column: 3 } }] })
  })
})

describe('files that are included twice', () => {
  const text = 'j: {script: x}'
  const reads = async (files: Record<string, string>): Promise<string[]> => {
    const sources = projectSources({ projects: { 'a/b': files } })
    const readFile = vi.spyOn(sources, 'readFile')
    const origin = { file: '.gitlab-ci.yml', commit: { projectPath: 'a/b', sha: SHA } }
    await compile(files['.gitlab-ci.yml'], sources, { ...pushOfMain, origin })
    return readFile.mock.calls.map(([, path]) => path)
  }

  test('are left out of a wildcard, the first file too', async () => {
    const files = { '.gitlab-ci.yml': 'include: [a.yml, "*.yml"]', 'a.yml': text, 'b.yml': text }
    expect(await reads(files)).toEqual(['a.yml', 'b.yml'])
  })

  test('are read again when they are named', async () => {
    const files = { '.gitlab-ci.yml': 'include: [a.yml, a.yml]', 'a.yml': text }
    expect(await reads(files)).toEqual(['a.yml', 'a.yml'])
  })
})

describe('include:rules', () => {
  test.each<[string, string, boolean]>([
    ['no rule', '[]', false],
    ['if holds', '[{if: $FILE}]', true],
    ['if does not', '[{if: $U}]', false],
    ['never', '[{if: $FILE, when: never}, {when: always}]', false],
    ['always', '[{when: always}]', true],
    ['the first that holds', '[{if: $U, when: never}, {if: $FILE}]', true],
    ['a file that exists', '[{exists: [ci/a.yml]}]', true],
    ['none that exists', '[{exists: [ci/none.yml]}]', false],
    ['a file of another project', '[{exists: {paths: [ci.yml], project: other/lib}}]', true],
    ['a changed file', '[{changes: [src/*]}]', true],
    ['no changed file', '[{changes: [doc/*]}]', false],
    ['changed since', '[{changes: {paths: [doc/*], compare_to: v1}}]', true],
    ['a variable of the file', '[{if: $YAML}]', false],
  ])('%s', async (_, rules, isIncluded) => {
    const text = `variables: {YAML: x}\ninclude: [{local: x.yml, rules: ${rules}}]\nmain: {script: m}`
    const changed = { changed: ['src/a'], changedSince: { v1: ['doc/a'] } }
    const jobs = await jobsOf({ ...files, '.gitlab-ci.yml': text }, { ...around, ...changed }, server)
    expect('x' in jobs).toBe(isIncluded)
  })

  test('a file that is not included may be missing', async () => {
    const text = `include: [{local: no.yml, rules: [{if: $U}]}]\nmain: {script: m}`
    expect(await problemsOf({ '.gitlab-ci.yml': text })).toEqual([])
  })
})

describe('a nested include', () => {
  test('in another project is looked for there, at its commit', async () => {
    const sources = projectSources({
      projects: {
        'other/lib': { 'a.yml': 'include: b.yml', 'b.yml': job('b') },
        'a/b': { 'b.yml': job('no') },
      },
    })
    const origin = { file: 'x', commit: { projectPath: 'a/b', sha: SHA } }
    const text = 'include: {project: other/lib, file: a.yml}'
    expect(await compile(text, sources, { ...pushOfMain, origin })).toMatchObject({
      plan: { jobs: [{ name: 'b' }] },
    })
  })

  test('in a remote file sees no variables', async () => {
    const remote = { [REMOTE]: 'include: {remote: "https://example.com/$FILE.yml"}' }
    const text = `include: "${REMOTE}"`
    expect(await problemsOf({ '.gitlab-ci.yml': text }, { remote }, server)).toEqual([
      'Remote file `https://example.com/.yml` could not be fetched after 1 attempt because of HTTP code `404` error!',
    ])
  })
})

describe('limits of all files together', () => {
  afterEach(() => {
    vi.useRealTimers()
  })

  test.each<[string, Record<string, string>]>([
    [
      'files that include one another',
      {
        '.gitlab-ci.yml': 'include: a.yml',
        'a.yml': 'include: b.yml\nj: {script: x}',
        'b.yml': 'include: a.yml\nj: {script: x}',
      },
    ],
    ['a file that includes itself', { '.gitlab-ci.yml': 'include: .gitlab-ci.yml\nj: {script: x}' }],
    [
      'files that each include many',
      {
        '.gitlab-ci.yml': `include: [${'a.yml,'.repeat(100)}]`,
        'a.yml': `include: [${'b.yml,'.repeat(100)}]`,
        'b.yml': job('b'),
      },
    ],
    [
      'a list that is too long',
      { '.gitlab-ci.yml': `include: [${'b.yml,'.repeat(5000)}]`, 'b.yml': job('b') },
    ],
    [
      'a wildcard that fits too much',
      {
        '.gitlab-ci.yml': 'include: "*.yml"',
        ...Object.fromEntries(Array.from({ length: 151 }, (_, i) => [`f${i}.yml`, job('x')])),
      },
    ],
  ])('%s', async (_, files) => {
    expect(await problemsOf(files)).toEqual(['Maximum of 150 nested includes are allowed!'])
  })

  test('a hundred and fifty are right', async () => {
    const text = `include: [${'b.yml,'.repeat(150)}]`
    expect(await problemsOf({ '.gitlab-ci.yml': text, 'b.yml': job('b') })).toEqual([])
  })

  test('their size', async () => {
    const big = `a: {script: x}\n# ${'x'.repeat(2_000_000)}`
    const text = `include: [${'b.yml,'.repeat(20)}]`
    expect(await problemsOf({ '.gitlab-ci.yml': text, 'b.yml': big })).toEqual([
      'Total size of combined CI/CD configuration is too big',
    ])
  })

  test('a source that never responds', async () => {
    vi.useFakeTimers()
    const sources = { ...projectSources(), fetchRemote: () => new Promise<never>(() => undefined) }
    const compiling = compile(`include: "${REMOTE}"`, sources, pushOfMain)
    await vi.advanceTimersByTimeAsync(30_000)
    expect(await compiling).toMatchObject({
      errors: ['Request timed out when fetching configuration files.'],
    })
  })
})

test('files are asked for four at a time, and merged in their order whichever comes first', async () => {
  const urls = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => `https://example.com/${name}.yml`)
  const bodies = new Map(urls.map((url) => [url, deferred<RemoteText>()]))
  const asked: string[] = []
  const all = deferred<undefined>()
  const sources = {
    ...projectSources(),
    fetchRemote: (url: string) => {
      asked.push(url)
      if (asked.length === 4) all.resolve(undefined)
      return bodies.get(url)!.promise
    },
  }
  const text = `include: [${urls.join(', ')}]\n`
  const compiling = compile(text, sources, pushOfMain)
  await all.promise
  expect(asked).toEqual(urls.slice(0, 4))
  for (const url of [...urls].reverse()) {
    const file = `job: { script: "${url}" }`
    bodies.get(url)?.resolve({ kind: 'text', text: Buffer.from(file) })
  }
  const result = await compiling
  expect(asked).toEqual(urls)
  expect(result).toMatchObject({ kind: 'plan', plan: { jobs: [{ options: { script: [urls.at(-1)] } }] } })
})

test('no file is asked for that may not be included any more', async () => {
  const asked: string[] = []
  const sources = {
    ...projectSources(),
    fetchRemote: async (url: string): Promise<RemoteText> => {
      asked.push(url)
      return { kind: 'text', text: Buffer.from('.x: { script: a }') }
    },
  }
  const urls = Array.from({ length: 160 }, (_, index) => `https://example.com/${index}.yml`)
  const result = await compile(`include: [${urls.join(', ')}]\n`, sources, pushOfMain)
  expect(result).toMatchObject({ kind: 'invalid', errors: ['Maximum of 150 nested includes are allowed!'] })
  expect(asked).toHaveLength(150)
})
