/** @typedef {import('./hostile-requests.mjs').Hostile} Hostile */
/** @typedef {import('./signed-in-scene.mjs').SignedInScene} SignedInScene */

/** The longest texts that descriptions and comments may have, in characters. */
const TEXT = 1_000_000
/** What searches take, in characters. */
const QUERY = 1000
/** Entries that a list to filter by may have. */
const ENTRIES = 100

/** What Markdown, references and quick actions begin with, alone or one behind the other. */
const MARKDOWN = [
  ...['\n', 'a ', 'a\n', '#1', '#1 ', '@a', '@a ', '@a\n', '~a ', '~"a b" ', '%1 ', '!1 ', '$1 ', '1234abc '],
  ...['a/b#1 ', 'fix #1, ', 'fixes ', '`a ', '`', '``` \n', '```\n', '- \n', '- [ ] a\n', '[ ]\n', '# \n'],
  ...['1. ', '> ', '    a\n\n', '\\`', '[a](b) ', '![a](b)', '[', '<a>', '&amp;', '**a', '_a_ ', '|a|b|\n'],
  ...['https://a.b/', 'http://127.0.0.1/a/b/-/issues/1 ', '\u00a0\n', '\u0301', '😀 '],
]
const QUICK_ACTIONS = [
  '/close\n',
  '/label ~a\n',
  '/shrug\n',
  '/x\n',
  '/assign @a\n',
  '/assign @a,',
  '/label ~a ',
  '/title ',
]

/**
 * By class of operations, the requests of a signed-in user that cost the most.
 * @param {SignedInScene} scene
 * @returns {Record<string, Hostile[]>}
 */
export function signedInRequests({ project, headers }) {
  /** @type {(method: string, path: string, body: () => object) => Hostile} */
  const ask = (method, path, body) => ({ method, path, headers, body: () => JSON.stringify(body()) })
  /** @type {(path: string) => Hostile} */
  const get = (path) => ({
    method: 'GET',
    path: project + path,
    headers: { 'private-token': headers['private-token'] ?? '' },
  })
  /** @type {(method: string, path: string, units: string[], body: (text: string) => object) => Hostile[]} */
  const texts = (method, path, units, body) =>
    units.map((unit) => ask(method, project + path, () => body(repeat(unit, TEXT))))
  const words = [...MARKDOWN, ...QUICK_ACTIONS]
  return {
    'the description of an issue': [
      ...texts('PUT', '/issues/1', words, (description) => ({ description })),
      ...texts('POST', '/issues', ['#1 ', '@a ', '/label ~a\n'], (description) => ({
        title: 'a',
        description,
      })),
    ],
    'the description of a merge request': texts('PUT', '/merge_requests/1', words, (description) => ({
      description,
    })),
    'a comment': [
      ...texts('POST', '/issues/1/notes', words, (body) => ({ body })),
      ...texts('POST', '/merge_requests/1/notes', words, (body) => ({ body })),
      ...texts('POST', '/repository/commits/main/comments', ['#1 ', '@a ', '\n'], (note) => ({ note })),
      ...[1, 50].flatMap((count) =>
        [
          '/label ~bug\n',
          '/draft\n/ready\n',
          '/todo\n/done\n',
          '/title a\n',
          '/assign me\n/unassign me\n',
        ].map((action) =>
          ask('POST', `${project}/merge_requests/1/notes`, () => ({
            body: action.repeat(count).split('\n').slice(0, 50).join('\n'),
          })),
        ),
      ),
    ],
    'a text to format': MARKDOWN.flatMap((unit) =>
      [512, 64 * 1024, TEXT].map((size) =>
        ask('POST', '/api/v4/markdown', () => ({ text: repeat(unit, size), gfm: true })),
      ),
    ),
    'labels, milestones, releases and snippets': ['a,', ',', '\n', '#1 ', '"'].flatMap((unit) => [
      ask('POST', `${project}/labels`, () => ({ name: 'a', color: '#fff', description: repeat(unit, TEXT) })),
      ask('PUT', `${project}/labels/bug`, () => ({ description: repeat(unit, TEXT) })),
      ask('PUT', `${project}/issues/1`, () => ({ labels: repeat(unit, TEXT) })),
      ask('PUT', `${project}/issues/1`, () => ({ add_labels: repeat(unit, TEXT) })),
      ask('PUT', `${project}/merge_requests/1`, () => ({ labels: repeat(unit, TEXT) })),
      ask('POST', `${project}/milestones`, () => ({ title: 'a', description: repeat(unit, TEXT) })),
      ask('POST', `${project}/releases`, () => ({
        tag_name: 'a',
        ref: 'none',
        description: repeat(unit, TEXT),
      })),
      ask('POST', `${project}/snippets`, () => ({
        title: 'a',
        visibility: 'private',
        file_name: 'a',
        content: repeat(unit, TEXT),
      })),
      ask('POST', `${project}/wikis`, () => ({ title: 'a', content: repeat(unit, TEXT) })),
    ]),
    'a commit': ['\n', 'a: b\n', 'Changelog: x\n', 'fix #1, ', '#1 '].flatMap((unit) => [
      ask('POST', `${project}/repository/commits`, () => ({
        ...{ branch: 'second', commit_message: `a\n\n${repeat(unit, TEXT)}` },
        actions: [{ action: 'update', file_path: 'a.txt', content: repeat(unit, TEXT) }],
      })),
      ask('POST', `${project}/repository/commits`, () => ({
        ...{ branch: 'second', commit_message: 'a' },
        actions: [
          {
            action: 'update',
            file_path: 'a.txt',
            encoding: 'base64',
            content: Buffer.from(repeat(unit, 20 * TEXT)).toString('base64'),
          },
        ],
      })),
      ask('POST', `${project}/repository/commits`, () => ({
        ...{ branch: 'second', commit_message: 'a' },
        actions: Array.from({ length: 7000 }, () => ({ action: 'update', file_path: 'a.txt', content: 'a' })),
      })),
    ]),
    'a CI file': yamlShapes().flatMap((shape) => [
      ask('POST', `${project}/ci/lint`, () => ({ content: shape(TEXT) })),
      ask('POST', '/api/v4/ci/lint', () => ({ content: shape(TEXT) })),
    ]),
    'files, changes and blame': [
      ...['/repository/files/lines.txt/blame?ref=main', '/repository/files/lines.txt/raw?ref=main'],
      ...['/repository/files/lines.txt?ref=main', '/repository/files/long.txt/blame?ref=main'],
      ...[
        '/repository/compare?from=main&to=topic',
        '/repository/commits/topic/diff',
        '/merge_requests/1/diffs',
      ],
      ...[
        '/merge_requests/1/changes',
        '/repository/commits?ref_name=second',
        '/repository/tree?recursive=true',
      ],
      ...['/repository/changelog?version=1.0.0&from=main&to=second', '/merge_requests/1/raw_diffs'],
    ].map(get),
    'a search': ['a', '"', '*', '%', 'filename:a ', '\\', '-a '].flatMap((unit) =>
      ['blobs', 'commits', 'issues', 'merge_requests', 'notes', 'milestones', 'wiki_blobs'].map((scope) =>
        get(`/search?scope=${scope}&search=${encodeURIComponent(repeat(unit, QUERY / 3))}`),
      ),
    ),
    'a filter of a list': [
      ...[
        '/issues?labels=',
        '/merge_requests?labels=',
        '/issues?not[labels]=',
        '/merge_requests?not[labels]=',
      ].map((path) => get(path + Array.from({ length: ENTRIES }, (_, index) => `a${index}`).join(','))),
      ...['a', '"', '%'].flatMap((unit) =>
        [
          '/issues?search=',
          '/repository/branches?search=',
          '/repository/branches?regex=',
          '/repository/tags?search=',
        ].map((path) => get(path + encodeURIComponent(repeat(unit, QUERY / 3)))),
      ),
    ],
  }
}

/** @returns {((size: number) => string)[]} */
function yamlShapes() {
  return [
    (size) => repeat('a:\n  script: b\n', size),
    (size) => numbered((index) => `j${index}:\n  script: b\n`, size),
    (size) => `a: ${repeat('[', size)}`,
    (size) => `a: ${repeat('{a: ', size)}`,
    (size) => repeat('- ', size),
    (size) => `a: &a [${repeat('a,', size)}]\nb: [${repeat('*a,', 1000)}]`,
    (size) => `a:\n  script:\n${repeat('    - b\n', size)}`,
    (size) => `a:\n  rules:\n${repeat('    - if: $A == "b"\n', size)}`,
    (size) => `a:\n  rules:\n    - if: ${repeat('$A == "b" && ', size)}$A`,
    (size) => `a:\n  rules:\n    - if: ${repeat('(', size)}`,
    (size) => `a:\n  script: "${repeat('$A', size)}"\n  variables: {A: b}`,
    (size) => `include:\n${repeat('  - local: a.yml\n', size)}`,
    (size) => repeat('\n', size),
    (size) => repeat('# a\n', size),
    (size) => `a: "${repeat('\\u0041', size)}"`,
    (size) => `a: |\n${repeat('  b\n', size)}`,
    (size) => `a:\n  script: !reference [${repeat('a, ', size)}a]`,
    (size) =>
      `spec:\n  inputs:\n    a: {default: b}\n---\na:\n  script: "${repeat('$[[ inputs.a ]]', size)}"`,
    (size) => `a:\n  parallel:\n    matrix:\n${repeat('      - A: [a, b]\n', size)}`,
    (size) => numbered((index) => `j${index}: {extends: j, script: a}\n`, size),
    (size) => `a:\n  needs: [${repeat('a, ', size)}a]\n  script: a`,
  ]
}

/**
 * @param {string} unit
 * @param {number} size
 */
function repeat(unit, size) {
  return unit.repeat(Math.floor(size / unit.length))
}

/**
 * @param {(index: string) => string} part
 * @param {number} size
 */
function numbered(part, size) {
  const parts = []
  for (let index = 0, length = 0; length < size - 60; index++) {
    const next = part(index.toString(36))
    length += next.length
    parts.push(next)
  }
  return parts.join('')
}
