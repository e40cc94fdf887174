import { buffer } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'

import { ZipArchive } from 'archiver'

/** @typedef {import('./random.mjs').Random} Random */

const PAGE = (/** @type {string} */ title) =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><title>${title}</title><h1>${title}</h1><p>Built by the demo.</p></html>\n`

/** A picture of one color, as PNG. */
const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

/** Files of artifacts, by kind. @satisfies {Record<string, Record<string, string | Buffer>>} */
export const archives = {
  binaries: {
    'bin/atlas': Buffer.alloc(180_000, 'ELF'),
    'bin/SHA256SUMS': `${'0a1b2c3d'.repeat(8)}  atlas\n`,
  },
  logs: {
    'logs/server.log': 'level=info msg="listening on :8080"\n'.repeat(400),
    'logs/postgres.log': 'LOG:  database system is ready to accept connections\n',
  },
  lock: { 'node_modules/.package-lock.json': '{ "lockfileVersion": 3 }\n' },
  coverage: {
    'coverage/index.html': PAGE('Coverage: 89.3 %'),
    'coverage/lcov.info': 'SF:src/map/camera.ts\nDA:1,4\nend_of_record\n',
  },
  playwright: {
    'playwright-report/index.html': PAGE('Playwright report'),
    'playwright-report/data/camera-webkit.png': PICTURE,
    'playwright-report/data/search-firefox.png': PICTURE,
    'playwright-report/trace.zip': Buffer.alloc(40_000, 1),
  },
  site: {
    'dist/index.html': PAGE('Preview'),
    'dist/assets/main.js': 'console.log("Atlas")\n'.repeat(900),
    'dist/assets/main.css': 'body { margin: 0 }\n'.repeat(200),
    'dist/images/logo.svg':
      '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><circle cx="4" cy="4" r="3"/></svg>\n',
    'dist/images/map.png': PICTURE,
    'dist/README.md': '# Preview\n\nOpen `index.html`.\n',
  },
  apk: {
    'app/build/outputs/apk/release/app-release.apk': Buffer.alloc(400_000, 7),
    'app/build/outputs/mapping.txt': 'a.b.c -> example.atlas.Map\n'.repeat(500),
  },
  xcarchive: {
    'Atlas.xcarchive/Info.plist': '<plist version="1.0"><dict/></plist>\n',
    'Atlas.xcarchive/Atlas.ipa': Buffer.alloc(300_000, 9),
  },
  plan: { 'plan.tfplan': Buffer.alloc(9000, 3) },
  data: {
    'data/observations.csv': 'time,latitude,longitude,temperature\n2026-11-01T00:00Z,59.9,10.7,3.2\n'.repeat(
      300,
    ),
    'data/stations.json': '{ "stations": 412 }\n',
  },
  model: {
    'models/best.pt': Buffer.alloc(250_000, 5),
    'models/card.md': '# Model\n\nTrained for 40 epochs.\n',
  },
}

/** @typedef {{ type: string, format: 'gzip' | 'raw', filename: string, content: (random: Random) => string }} Report */

/** @param {unknown} value */
const json = (value) => JSON.stringify(value)

/** @param {Record<string, Record<number, number>>} files how often each line ran, by path */
function coberturaOf(files) {
  const classes = Object.entries(files).map(([path, lines]) => {
    const hits = Object.entries(lines).map(([line, count]) => `<line number="${line}" hits="${count}"/>`)
    return `<class filename="${path}"><lines>${hits.join('')}</lines></class>`
  })
  return `<coverage line-rate="0.93"><packages><package><classes>${classes.join('')}</classes></package></packages></coverage>`
}

/** Reports of jobs, by kind. @satisfies {Record<string, Report>} */
export const reports = {
  codequality: {
    type: 'codequality',
    format: 'raw',
    filename: 'gl-code-quality-report.json',
    content: (random) =>
      json([
        {
          description: 'Function has a complexity of 14',
          check_name: 'complexity',
          fingerprint: String(random.whole(1, 9)),
          severity: 'minor',
          location: { path: 'src/map/camera.ts', lines: { begin: random.whole(1, 90) } },
        },
      ]),
  },
  cobertura: {
    type: 'cobertura',
    format: 'gzip',
    filename: 'cobertura-coverage.xml.gz',
    content: () => '<coverage line-rate="0.89"><packages/></coverage>',
  },
  'go-cobertura': {
    type: 'cobertura',
    format: 'gzip',
    filename: 'cobertura-coverage.xml.gz',
    content: () =>
      coberturaOf({
        'internal/tiles/cache.go': { 4: 1 },
        // What a merge request adds.
        'internal/tiles/column.go': {
          ...{ 4: 9, 5: 9, 6: 9, 10: 2, 11: 2, 12: 2, 13: 8, 14: 6, 15: 6, 16: 2, 18: 4, 19: 4, 21: 2 },
          ...{ 25: 0, 26: 0 },
        },
      }),
  },
  metrics: {
    type: 'metrics',
    format: 'gzip',
    filename: 'metrics.txt.gz',
    content: (random) =>
      `tile_nanoseconds ${random.whole(80_000, 99_000)}\nmodel_loss ${random.between(0.2, 0.3).toFixed(4)}\n`,
  },
  dotenv: {
    type: 'dotenv',
    format: 'gzip',
    filename: '.env.gz',
    content: (random) => `IMAGE=registry.example/atlas:${random.whole(1000, 9999)}\n`,
  },
  sast: {
    type: 'sast',
    format: 'raw',
    filename: 'gl-sast-report.json',
    content: () => json({ version: '15.2.1', vulnerabilities: [] }),
  },
  terraform: {
    type: 'terraform',
    format: 'raw',
    filename: 'tfplan.json',
    content: () => json({ create: 0, update: 1, delete: 0 }),
  },
  container_scanning: {
    type: 'container_scanning',
    format: 'raw',
    filename: 'gl-container-scanning-report.json',
    content: () => json({ version: '15.2.1', vulnerabilities: [] }),
  },
}

/** @type {Map<string, Promise<Buffer>>} */
const zipped = new Map()

/** A ZIP archive of the files of a kind. @param {keyof typeof archives} kind */
export function archiveOf(kind) {
  const known = zipped.get(kind)
  if (known) return known
  const made = zip(archives[kind])
  zipped.set(kind, made)
  return made
}

/** @param {Record<string, string | Buffer>} files */
async function zip(files) {
  const archive = new ZipArchive()
  for (const [name, content] of Object.entries(files)) archive.append(content, { name })
  const content = buffer(archive)
  await archive.finalize()
  return content
}

/**
 * A report as it is uploaded.
 * @param {keyof typeof reports} kind
 * @param {Random} random
 */
export function reportOf(kind, random) {
  const { type, format, filename, content } = /** @type {Report} */ (reports[kind])
  const text = content(random)
  return { type, format, filename, content: format === 'gzip' ? gzipSync(text) : Buffer.from(text) }
}
