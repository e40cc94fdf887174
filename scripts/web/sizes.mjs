import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

const KIB = 1024

/** Scripts and styles of the first page: the frame. Over the goal is worth a look; over the limit, the build fails. */
const FRAME_LIMIT = 60 * KIB
const PAGE_LIMIT = 40 * KIB
/** Pages around a large library, which is loaded by nothing else. */
const LARGE_PAGES = [
  { name: /^pages\/(?:editor|code\/(?:edit|new-file)|merge-requests\/conflict-files)/, limit: 140 * KIB },
  { name: /^pages\/jobs\/terminal/, limit: 95 * KIB },
  { name: /^pages\/(?:pipelines\/charts|runners|admin\/runners?|groups\/runners?)/, limit: 60 * KIB },
]

/**
 * @typedef {{ file: string, src?: string, isEntry?: boolean, css?: string[], imports?: string[] }} Chunk
 * @typedef {{ first: number, pages: { name: string, bytes: number }[], problems: string[] }} Sizes
 */

/**
 * The sizes of what a browser loads, packed with gzip, in bytes: for the frame, and for each page beyond it.
 * @param {string} folder of the built pages
 * @returns {Sizes}
 */
export function sizesOf(folder) {
  /** @type {Record<string, Chunk>} */
  const manifest = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'))
  const main = Object.values(manifest).find(({ isEntry }) => isEntry)
  if (!main) throw new Error('the manifest names no entry')
  const ofFrame = filesOf(manifest, main)
  const size = (/** @type {string[]} */ files) =>
    files.reduce((sum, file) => sum + gzipSync(readFileSync(join(folder, file))).length, 0)
  const first = size(ofFrame)
  const pages = Object.entries(manifest)
    .filter(([name]) => name.startsWith('pages/'))
    .map(([name, chunk]) => ({
      name: name.replace(/\/page\.tsx$/, ''),
      bytes: size(filesOf(manifest, chunk).filter((file) => !ofFrame.includes(file))),
    }))
  const problems = [
    ...(first > FRAME_LIMIT ? [`the frame has ${first} bytes, more than ${FRAME_LIMIT}`] : []),
    ...pages
      .filter(({ name, bytes }) => bytes > limitOf(name))
      .map(({ name, bytes }) => `${name} has ${bytes} bytes, more than ${limitOf(name)}`),
  ]
  return { first, pages, problems }
}

/** @param {string} page */
function limitOf(page) {
  return LARGE_PAGES.find(({ name }) => name.test(page))?.limit ?? PAGE_LIMIT
}

/**
 * The files of a chunk and of what it imports at once.
 * @param {Record<string, Chunk>} manifest
 * @param {Chunk} chunk
 */
function filesOf(manifest, chunk) {
  const chunks = new Set([chunk])
  for (const { imports = [] } of chunks) {
    for (const name of imports) {
      const imported = manifest[name]
      if (imported) chunks.add(imported)
    }
  }
  return [...new Set([...chunks].flatMap(({ file, css = [] }) => [file, ...css]))]
}
