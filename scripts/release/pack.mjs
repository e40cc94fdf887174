import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'

import { ensureDependencies } from '../setup/dependencies.mjs'
import { root } from '../setup/root.mjs'
import { run } from '../setup/run.mjs'
import { say } from '../setup/say.mjs'
import { artifactNames, checksumLines, CHECKSUMS, imageContextPaths } from './artifacts.mjs'
import { buildCommit } from './build-commit.mjs'
import { packDebian } from './debian-package.mjs'
import { ensureDebianTools } from './debian-tools.mjs'
import { outputOf } from './output-of.mjs'
import { billOfMaterials } from './sbom.mjs'

/**
 * Packs the last commit: everything that a release publishes. `folder` is replaced at the end, by a complete one.
 * @param {string} folder
 */
export async function packRelease(folder) {
  await ensureDependencies()
  await ensureDebianTools()
  await mkdir(join(root, '.switchyard'), { recursive: true })
  const work = await mkdtemp(join(root, '.switchyard/release-'))
  try {
    await replaceFolder(folder, await packInto(work))
  } finally {
    await rm(work, { recursive: true, force: true })
  }
}

/**
 * Replaces a folder, which may be on another disk than the new files: they are copied beside it, and moved from there.
 * @param {string} folder
 * @param {string} files the folder of the new files
 */
async function replaceFolder(folder, files) {
  const copy = `${folder}.new`
  await rm(copy, { recursive: true, force: true })
  await cp(files, copy, { recursive: true })
  await rm(folder, { recursive: true, force: true })
  await rename(copy, folder)
}

/**
 * @param {string} work
 * @returns {Promise<string>} the folder with the files
 */
async function packInto(work) {
  const source = join(work, 'switchyard')
  const packed = join(work, 'packed')
  const debian = join(work, 'debian')
  await mkdir(packed)
  await mkdir(debian)
  const version = await versionOfCommit()
  const names = artifactNames(version, await outputOf('dpkg', ['--print-architecture']))
  const inPacked = (/** @type {string} */ name) => join(packed, name)

  say(`building ${version}`)
  await buildCommit(source, version)
  say('packing the npm package')
  await run('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', packed, source])
  say('packing the image context')
  await packImageContext(version, source, inPacked(names.image))
  say('writing the bill of materials')
  await writeFile(inPacked(names.sbom), await billOfMaterials(source))
  say('packing the Debian package')
  const date = await outputOf('git', ['show', '--no-patch', '--format=%cD', 'HEAD'])
  await packDebian(
    { work: debian, source, tarball: inPacked(names.npm), version, date },
    inPacked(names.debian),
  )
  await writeChecksums(packed)
  return packed
}

async function versionOfCommit() {
  const { version } = /** @type {{ version: string }} */ (
    JSON.parse(await outputOf('git', ['show', 'HEAD:package.json']))
  )
  return version
}

/**
 * @param {string} version
 * @param {string} source
 * @param {string} file
 */
async function packImageContext(version, source, file) {
  const paths = imageContextPaths(await readFile(join(source, '.dockerignore'), 'utf8'))
  await run('git', [
    'archive',
    '--output',
    file,
    '--prefix',
    `switchyard-${version}/`,
    'HEAD',
    '--',
    ...paths,
  ])
}

/** @param {string} folder */
async function writeChecksums(folder) {
  /** @type {Record<string, string>} */
  const digests = {}
  for (const name of await readdir(folder)) digests[name] = await digestOf(join(folder, name))
  await writeFile(join(folder, CHECKSUMS), checksumLines(digests))
}

/** @param {string} file */
async function digestOf(file) {
  const hash = createHash('sha256')
  await pipeline(createReadStream(file), hash)
  return hash.digest('hex')
}
