import { randomBytes } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Writable } from 'node:stream'

import { createLogger } from '../../../src/lib/logger.js'
import { ownLabels } from '../../../src/runner/executor/docker/containers/labels.js'
import { createDockerExecutor } from '../../../src/runner/executor/docker/docker-executor.js'
import type { DockerExecutorSettings } from '../../../src/runner/executor/docker/settings.js'
import type {
  ContainerWorkspace,
  Executor,
  ExecutorJob,
  JobEnvironment,
  Stage,
} from '../../../src/runner/executor/executor.js'
import { JobLog } from '../../../src/runner/trace/job-log.js'
import { dockerLeftovers } from '../../support/docker-leftovers.js'
import { onFinished } from '../../support/lifetime.js'
import { tempDir } from '../../support/temp-dir.js'

const CONTAINER_DIRECTORY = '/builds/scripts'
const OUTPUT_DIRECTORY = '/builds/output'

/** A log that remembers, for looking at what a job printed. */
export class RecordedLog extends JobLog {
  private readonly chunks: Buffer[] = []
  private readonly waiting: { text: string; resolve: () => void }[] = []

  constructor() {
    super(
      new Writable({
        write: (chunk: Buffer, _encoding, done) => {
          this.record(chunk)
          done()
        },
      }),
    )
  }

  get bytes(): Buffer {
    return Buffer.concat(this.chunks)
  }

  get text(): string {
    return this.bytes.toString('utf8')
  }

  /** Resolves once `text` was printed. */
  async seen(text: string): Promise<void> {
    if (this.text.includes(text)) return
    await new Promise<void>((resolve) => this.waiting.push({ text, resolve }))
  }

  private record(chunk: Buffer): void {
    this.chunks.push(chunk)
    for (const waiter of this.waiting) if (this.text.includes(waiter.text)) waiter.resolve()
  }
}

/** An executor and scripts for it; what it left at the engine fails the test. */
export interface Bench {
  executor: Executor
  settings: DockerExecutorSettings
  job(more?: Partial<ExecutorJob>): ExecutorJob
  place: ContainerWorkspace
  /** Puts a script where the next run finds it. */
  script(text: string): Promise<Stage>
  /** Makes an empty file in the job's working directory. */
  touch(name: string): Promise<void>
  containers(): Promise<string[]>
}

export async function openBench(
  settings: Partial<DockerExecutorSettings> & { image: string },
): Promise<Bench> {
  const folder = await tempDir()
  const hostPath = join(folder, 'scripts')
  await mkdir(hostPath)
  const output = join(folder, 'output')
  await mkdir(output, { mode: 0o700 })
  const id = randomBytes(4).toString('hex')
  const all: DockerExecutorSettings = {
    pullPolicy: ['if-not-present'],
    runnerShortToken: `r1${id}`,
    systemId: `s_${id}`,
    stopGraceSeconds: 1,
    ...settings,
  }
  const executor = createDockerExecutor(all, createLogger('test', 'silent'))
  const containers = () => dockerLeftovers(ownLabels(all))
  let scripts = 0
  onFinished(async () => {
    const left = await containers()
    if (left.length > 0) await executor.removeLeftovers(new Set())
    if (left.length > 0) throw new Error(`left at the engine: ${left.join(', ')}`)
  })
  return {
    executor,
    settings: all,
    containers,
    job: (more = {}) => ({
      jobId: 7,
      projectId: 3,
      pipelineId: 5,
      jobUrl: 'http://127.0.0.1/jobs/7',
      sha: 'f'.repeat(40),
      ref: 'main',
      concurrentProjectId: 0,
      image: undefined,
      ...more,
    }),
    place: {
      environment: { GREETING: 'hello world' },
      mounts: [{ hostPath, containerPath: CONTAINER_DIRECTORY, readOnly: false }],
      workingDirectory: CONTAINER_DIRECTORY,
      output: { hostPath: output, containerPath: OUTPUT_DIRECTORY },
      scriptPath: `${CONTAINER_DIRECTORY}/script`,
    },
    script: async (text) => {
      await writeFile(join(hostPath, 'script'), text)
      return { name: `script-${++scripts}` }
    },
    touch: (name) => writeFile(join(hostPath, name), ''),
  }
}

/** A signal that no test ever aborts. */
export const NEVER = new AbortController().signal

/** Prepares a job and opens its container. */
export async function openEnvironment(
  bench: Bench,
  log: JobLog = new RecordedLog(),
  more: Partial<ExecutorJob & ContainerWorkspace> = {},
): Promise<JobEnvironment> {
  const environment = await bench.executor.prepare(bench.job(more), log, NEVER)
  environment.open(() => ({ ...bench.place, ...more }))
  return environment
}

/** Prepares, runs each script in turn, cleans up; returns the exit codes and what was printed. */
export async function runScripts(
  bench: Bench,
  scripts: string[],
  more: Partial<ExecutorJob & ContainerWorkspace> = {},
) {
  const log = new RecordedLog()
  const environment = await openEnvironment(bench, log, more)
  try {
    const exitCodes: number[] = []
    for (const script of scripts) {
      exitCodes.push((await environment.run(await bench.script(script), log, NEVER)).exitCode)
    }
    return { exitCodes, text: log.text }
  } finally {
    await environment.cleanUp()
  }
}
