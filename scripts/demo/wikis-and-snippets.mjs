// The wikis and snippets of the demo: what people of a made-up company write down beside their code.

const BEFORE_RELEASE = `## Before

1. The nightly pipeline of \`main\` is green.
2. The list of changes has been read by somebody who has not written it.
3. The [tile cache](/Architecture/Tile-cache) of the new version is warm.
`

const HOUR = 3_600_000

/** @typedef {{ by: string, content: string, message?: string }} VersionPlan */

/** Pages of wikis by title, each with its versions. @type {Record<string, Record<string, VersionPlan[]>>} */
const PAGES = {
  'project atlas/api': {
    home: [
      {
        by: 'jonas',
        content: `The API serves the tiles of the map, and the search.

- [[Operations/Release]]: how a version gets to production
- [[Operations/On call]]: what to do when a tile is late
- [[Architecture/Tile cache]]
- [[Glossary]]

| Region | Host | Tiles per second |
| --- | --- | ---: |
| Europe | \`tiles-eu\` | 4,200 |
| Asia | \`tiles-as\` | 2,900 |
`,
      },
    ],
    'Operations/Release': [
      {
        by: 'samuel',
        content: `## Before

1. The nightly pipeline of \`main\` is green.
2. The list of changes has been read by somebody who has not written it.

## Release

1. Tag the commit.
2. Watch the deployment to staging for ten minutes.
3. Play the job \`production\`.
`,
      },
      {
        by: 'samuel',
        message: 'Warm the caches before the switch',
        content: `${BEFORE_RELEASE}
## Release

1. Tag the commit.
2. Watch the deployment to staging for ten minutes.
3. Play the job \`production\`.

If something is wrong: [On call](On-call).
`,
      },
      {
        by: 'chloe',
        message: 'Wait as long as the slowest check takes',
        content: `${BEFORE_RELEASE}
## Release

1. Tag the commit.
2. Watch the deployment to staging for twenty minutes: the slowest check takes that long.
3. Play the job \`production\`.

If something is wrong: [On call](On-call).
`,
      },
    ],
    'Operations/On call': [
      {
        by: 'jonas',
        content: `1. Look at the environment: is the last deployment the one that you expect?
2. Roll back first, ask later.
3. Write down what you have seen, here or in an issue.
`,
      },
    ],
    'Architecture/Tile cache': [
      {
        by: 'tomasz',
        content: `A tile is looked up in three places:

1. the memory of the process, for the tiles of the last minutes,
2. the disk of the machine,
3. the store.

\`\`\`go
func (c *Cache) Tile(ctx context.Context, key Key) (Tile, error) {
	if tile, ok := c.memory.Get(key); ok {
		return tile, nil
	}
	return c.disk.Tile(ctx, key)
}
\`\`\`
`,
      },
    ],
    Glossary: [
      {
        by: 'lena',
        content: '**Tile**: a square of the map, 256 pixels wide.\n\n**Zoom**: 0 is the whole earth.\n',
      },
    ],
  },
  'group atlas': {
    home: [
      { by: 'aiko', content: 'What concerns all teams of the map. Who is on duty is in [[Rotation]].\n' },
    ],
    Rotation: [
      {
        by: 'samuel',
        content: '| Week | On duty |\n| --- | --- |\n| 1 | Jonas |\n| 2 | Lena |\n| 3 | Tomasz |\n',
      },
    ],
    _sidebar: [{ by: 'aiko', content: '- [Start](/home)\n- [[Rotation]]\n' }],
  },
}

/**
 * @typedef {object} SnippetPlan
 * @property {string} by
 * @property {string} [project]
 * @property {string} title
 * @property {string} description
 * @property {string} visibility
 * @property {Record<string, string>} files by path
 * @property {[by: string, body: string][]} [comments]
 */

/** @type {SnippetPlan[]} */
const SNIPPETS = [
  {
    by: 'tomasz',
    project: 'atlas/api',
    title: 'Warm the tile cache',
    description: 'Asks for the tiles that most people look at. Run it **before** the switch of a release.',
    visibility: 'internal',
    files: {
      'warm.sh': `#!/bin/sh
set -eu
host=\${1:?the host to warm}
while read -r z x y; do
  curl --fail --silent --output /dev/null "https://$host/tiles/$z/$x/$y"
done < tiles.txt
`,
      'tiles.txt': '0 0 0\n1 0 0\n1 1 0\n2 2 1\n',
    },
    comments: [
      ['chloe', 'Works well. With `xargs -P 8` it takes two minutes and not ten.'],
      ['tomasz', 'I will change that.'],
    ],
  },
  {
    by: 'chloe',
    project: 'atlas/api',
    title: 'Find the slowest tests of a report',
    description: '',
    visibility: 'internal',
    files: {
      'slowest.py': `import sys
import xml.etree.ElementTree as tree

cases = tree.parse(sys.argv[1]).iter("testcase")
for case in sorted(cases, key=lambda each: -float(each.get("time", 0)))[:20]:
    print(f'{float(case.get("time", 0)):8.2f} s  {case.get("name")}')
`,
    },
  },
  {
    by: 'mira',
    title: 'Machines without a runner',
    description: 'For the list of machines of the provider.',
    visibility: 'public',
    files: { 'idle.jq': '.machines[] | select(.labels.runner == null) | .name\n' },
  },
]

/**
 * @param {object} options
 * @param {import('./company.mjs').Company} options.company
 * @param {import('./simulation.mjs').Simulation} options.simulation
 * @param {number} options.end of the past
 */
export function planWikisAndSnippets({ company, simulation, end }) {
  simulation.at(end - 9 * HOUR, async () => {
    for (const [owner, pages] of Object.entries(PAGES)) {
      const [kind, path = ''] = owner.split(' ')
      const base =
        kind === 'group' ? `/groups/${company.groupIds.get(path)}` : `/projects/${company.project(path).id}`
      for (const [title, versions] of Object.entries(pages))
        await addPage(company, `${base}/wikis`, title, versions)
    }
    for (const plan of SNIPPETS) await addSnippet(company, plan)
  })
}

/** @param {import('./company.mjs').Company} company @param {string} path @param {string} title @param {VersionPlan[]} versions */
async function addPage(company, path, title, [first, ...later]) {
  if (!first) throw new Error(`The page ${title} has no version`)
  const { slug } = /** @type {{ slug: string }} */ (
    /** @type {unknown} */ (await company.as(first.by).post(path, { title, content: first.content }))
  )
  for (const { by, content, message } of later)
    await company.as(by).put(`${path}/${encodeURIComponent(slug)}`, { content, message })
}

/** @param {import('./company.mjs').Company} company @param {SnippetPlan} plan */
async function addSnippet(company, { by, project, title, description, visibility, files, comments = [] }) {
  const path = `${project === undefined ? '' : `/projects/${company.project(project).id}`}/snippets`
  const { id } = await company.as(by).post(path, {
    title,
    description,
    visibility,
    files: Object.entries(files).map(([file_path, content]) => ({ file_path, content })),
  })
  for (const [author, body] of comments) await company.as(author).post(`${path}/${id}/notes`, { body })
}
