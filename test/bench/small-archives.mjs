import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

import { ZipArchive } from 'archiver'

import { median } from './table.mjs'

const TURNS = 15
const LEVEL = 5
/** Numbers of files, and bytes of each. */
const SIZES = [
  [1, 1000],
  [1, 100_000],
  [1, 1_000_000],
  [1, 4_000_000],
  [100, 10_000],
]

/** The runner's writer of zips against archiver, each warm, by the size of the archive. */
export async function benchSmallArchives() {
  const below = new URL('../../.switchyard/modules/archive/', import.meta.url).href
  /** @type {typeof import('../../src/archive/tree-inputs.js')} */
  const { TreeReader } = await import(`${below}tree-inputs.js`)
  /** @type {typeof import('../../src/archive/zip-writer.js')} */
  const { zipInputs } = await import(`${below}zip-writer.js`)
  const root = mkdtempSync(join(tmpdir(), 'switchyard-bench-zip-'))
  const figures = []
  try {
    for (const [count = 0, bytes = 0] of SIZES) {
      const names = Array.from({ length: count }, (_, index) => `${bytes}-${index}`)
      for (const name of names) writeFileSync(join(root, name), makeText(bytes))
      const [ours, theirs] = [
        await timed(() =>
          pipeline(zipInputs(new TreeReader(root).inputs(names), { level: LEVEL }), nowhere()),
        ),
        await timed(() => packWithArchiver(root, names)),
      ]
      figures.push({
        name: `a zip of ${count} × ${bytes / 1000} kB of text`,
        ours: milliseconds(ours),
        baseline: 'archiver',
        theirs: milliseconds(theirs),
        ratio: ours / theirs,
      })
    }
  } finally {
    rmSync(root, { recursive: true })
  }
  return figures
}

/**
 * @param {string} root
 * @param {string[]} names
 */
async function packWithArchiver(root, names) {
  const zip = new ZipArchive({ zlib: { level: LEVEL } })
  const written = pipeline(zip, nowhere())
  for (const name of names) zip.file(join(root, name), { name })
  await Promise.all([zip.finalize(), written])
}

/** @param {() => Promise<void>} pack */
async function timed(pack) {
  /** @type {number[]} */
  const times = []
  for (let turn = 0; turn < TURNS; turn++) {
    const start = performance.now()
    await pack()
    times.push(performance.now() - start)
  }
  return median(times)
}

function nowhere() {
  return new Writable({ write: (_chunk, _encoding, done) => done() })
}

/** @param {number} bytes */
function makeText(bytes) {
  let text = ''
  for (let line = 0; text.length < bytes; line++)
    text += `[build ${line % 97}%] src/module-${(line * 7919) % 1000}.ts -> dist/module-${line}.js\n`
  return text.slice(0, bytes)
}

/** @param {number} time */
function milliseconds(time) {
  return `${time.toFixed(1)} ms`
}
