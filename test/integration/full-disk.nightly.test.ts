import { randomBytes } from 'node:crypto'
import { cp, open, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'

import { execa } from 'execa'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { System } from './support/system.js'
import { until } from './support/until.js'

const MEBIBYTE = 1024 * 1024
const isRoot = process.getuid?.() === 0

let system: System
let folder: string

beforeAll(async () => {
  if (!isRoot) return // only root mounts a disk
  system = await System.start()
  folder = join(system.directory, 'coordinator')
  await moveToSmallDisk()
})

afterAll(async () => {
  if (!isRoot) return
  await execa('umount', ['--lazy', folder])
  await system.stop()
})

/** Moves the data folder to a disk of 96 MiB. */
async function moveToSmallDisk(): Promise<void> {
  await system.killCoordinator()
  const copy = join(system.directory, 'copy')
  await cp(folder, copy, { recursive: true })
  await execa('mount', ['-t', 'tmpfs', '-o', 'size=96m,mode=700', 'tmpfs', folder])
  await cp(copy, folder, { recursive: true })
  await rm(copy, { recursive: true })
  await system.startCoordinator()
}

const filler = () => join(folder, 'filler')

/** Writes until nothing more fits. */
async function fill(): Promise<void> {
  const file = await open(filler(), 'w')
  try {
    for (let size = MEBIBYTE; size >= 4096;) {
      const isFull = await file.write(Buffer.alloc(size)).then(
        ({ bytesWritten }) => bytesWritten < size,
        () => true,
      )
      if (isFull) size /= 2
    }
  } finally {
    await file.close()
  }
}

async function readiness(): Promise<[status: number, text: string]> {
  const response = await fetch(`${system.url}/-/readiness`)
  return [response.status, await response.text()]
}

/** How long a runner may wait between two attempts, and what its last attempts and the next job need. */
const SOON = 45_000

test.runIf(isRoot)(
  'a full disk loses no job: logs, artifacts and waiting jobs arrive soon after space is there',
  async () => {
    await system.startRunner({ concurrent: 2 })
    const project = await system.createProject()
    const pipeline = await project.pushCi(`
prints: {script: ["echo begun", "sleep 5", "seq 1 200000", "echo ended"]}
stores: {script: ["echo begun", "sleep 5", "seq 1 200000 > numbers"], artifacts: {paths: [numbers]}}
later: {stage: deploy, script: ["wc -l < numbers"]}
`)
    const prints = await project.jobIn(pipeline, 'prints', 'running')
    const stores = await project.jobIn(pipeline, 'stores', 'running')
    for (const job of [prints, stores]) await project.traceContaining(job, 'begun\n')

    await fill()
    expect(await readiness()).toEqual([503, expect.stringContaining('The disk of data_dir is full')])
    const large = { title: 'Large', description: 'x'.repeat(900_000) }
    const refused = await project.request('POST', '/issues', large)
    expect([refused.status, await refused.text()]).toEqual([
      507,
      expect.stringContaining('disk of the coordinator is full'),
    ])
    await project.commit({ 'large.bin': randomBytes(4 * MEBIBYTE) })
    await expect(project.pushHead('large')).rejects.toThrow()
    await until(
      'a log to be refused',
      async () => (system.log().includes('The log was not accepted') ? true : undefined),
      () => system.log(),
    )

    await rm(filler())
    const freedAt = performance.now()
    await project.finished(pipeline)
    expect(performance.now() - freedAt).toBeLessThan(SOON)
    expect(await project.failures(pipeline)).toEqual([])
    const lines = (await project.trace(prints)).split('\n')
    expect(lines.filter((line) => /^\d+$/.test(line))).toEqual(
      Array.from({ length: 200_000 }, (_, i) => String(i + 1)),
    )
    expect(await project.trace(await project.job(pipeline, 'later'))).toContain('\n200000\n')

    expect((await readiness())[0]).toBe(200)
    expect((await project.request('POST', '/issues', large)).status).toBe(201)
    expect((await project.finished(await project.pushHead('large'))).status).toBe('success')
    const files = await readdir(join(folder, 'repositories'), { recursive: true })
    expect(files.filter((path) => path.includes('tmp_'))).toEqual([])
  },
)
