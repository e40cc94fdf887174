import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFile, mkdir, mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'

import { IMAGE } from './docker.mjs'

const run = promisify(execFile)

/** Makes a small image from the system's busybox, so that no registry is asked. */
export async function makeBenchImage() {
  const folder = await mkdtemp(join(tmpdir(), 'switchyard-bench-image-'))
  try {
    await fill(folder)
    await importFolder(folder)
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** @param {string} folder */
async function fill(folder) {
  for (const name of ['bin', 'tmp', 'etc', 'root']) await mkdir(join(folder, name))
  await copyFile('/bin/busybox', join(folder, 'bin/busybox'))
  const { stdout } = await run('/bin/busybox', ['--list'])
  const applets = stdout.split('\n').filter((name) => name !== '' && name !== 'busybox')
  await Promise.all(applets.map((name) => symlink('busybox', join(folder, 'bin', name))))
}

/** @param {string} folder */
async function importFolder(folder) {
  const tar = spawn('tar', ['-C', folder, '-c', '.'], { stdio: ['ignore', 'pipe', 'inherit'] })
  const docker = spawn('docker', ['import', '--change', 'ENV PATH=/bin', '-', IMAGE], {
    stdio: ['pipe', 'ignore', 'inherit'],
  })
  const ended = once(docker, 'close')
  await pipeline(tar.stdout, docker.stdin)
  const [code] = /** @type {[number | null]} */ (await ended)
  if (code !== 0) throw new Error(`docker import ended with ${String(code)}`)
}
