import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Duplex, duplexPair, Transform } from 'node:stream'

import { pino } from 'pino'

import type { HelperScript } from '../../../src/runner/executor/environment-helper.js'
import type { HelperPlaces } from '../../../src/runner/executor/helper-places.js'
import type { ScriptEnd } from '../../../src/runner/executor/script-end.js'
import { supervisorCommand } from '../../../src/runner/executor/supervisor/supervisor.js'
import { HelperClient } from '../../../src/runner/helper/client/helper-client.js'
import { serveHelper } from '../../../src/runner/helper/server/serve-helper.js'
import type { JobWorkspace, WorkspaceRequest } from '../../../src/runner/workspace/workspace.js'
import { onFinished } from '../../support/lifetime.js'
import { tempDir } from '../../support/temp-dir.js'
import { NEVER, RecordedLog } from '../executor/docker-jobs.js'

/** The directories of a pod, as directories of this machine. */
export async function createPlaces(): Promise<HelperPlaces> {
  const root = await tempDir()
  const places = {
    builds: join(root, 'builds'),
    control: join(root, 'control'),
    git: join(root, 'git'),
    own: join(root, 'own'),
  }
  for (const directory of Object.values(places)) {
    await mkdir(directory)
    await chmod(directory, 0o777)
  }
  return places
}

/** As process 1 of a container: with processes and a user of its own. */
const IN_NAMESPACE = [
  'unshare',
  '--user',
  '--map-root-user',
  '--pid',
  '--fork',
  '--kill-child',
  '--mount-proc',
]

/** As in a pod whose containers share their processes. */
const BELOW_PROCESS_1 = ['sh', '-c', 'setsid "$@" & wait', 'sh']

/** Starts the process that runs the scripts of a job. `shell`: what runs in place of `sh`. */
export function startSupervisor(
  { control }: HelperPlaces,
  { shell = ['sh'], isProcess1 = true }: { shell?: readonly string[]; isProcess1?: boolean } = {},
): ChildProcess {
  const [, ...args] = supervisorCommand(control)
  const [program = '', ...rest] = [...IN_NAMESPACE, ...(isProcess1 ? [] : BELOW_PROCESS_1), ...shell, ...args]
  const child = spawn(program, rest, { stdio: ['ignore', 'inherit', 'inherit'], detached: true })
  onFinished(async () => {
    const hasEnded = child.exitCode !== null || child.signalCode !== null
    child.kill('SIGKILL')
    if (!hasEnded) await once(child, 'exit')
  })
  return child
}

export interface Helped {
  client: HelperClient
  /** Number of connections so far. */
  readonly connections: number
  /** The next connection breaks after so many bytes from the helper. */
  cutAfter(bytes: number): void
}

/** A client whose helper is served in this process. */
export function openHelper(places: HelperPlaces): Helped {
  let connections = 0
  const cuts: number[] = []
  const connect = async () => {
    connections++
    const [ours, theirs] = duplexPair()
    void serveHelper(theirs, { places, logger: pino({ level: 'silent' }) })
    const cut = cuts.shift()
    return cut === undefined ? ours : breakAfter(ours, cut)
  }
  const client = new HelperClient({ places, areBuildsKept: true, connect, firstDelay: 1 })
  onFinished(() => client.close())
  return {
    client,
    get connections() {
      return connections
    },
    cutAfter: (bytes) => cuts.push(bytes),
  }
}

function breakAfter(stream: Duplex, bytes: number): Duplex {
  let left = bytes
  const limiter = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      this.push(chunk.subarray(0, left))
      left -= chunk.length
      if (left <= 0) stream.destroy(new Error('The connection was cut'))
      done()
    },
  })
  stream.on('error', () => limiter.end())
  stream.pipe(limiter)
  return Duplex.from({ readable: limiter, writable: stream })
}

/** A workspace of the only job. */
export async function openRemoteWorkspace(
  client: HelperClient,
  { builds }: HelperPlaces,
  changes: Partial<WorkspaceRequest> = {},
  isNew = true,
): Promise<JobWorkspace> {
  const request = {
    projectId: 3,
    projectPath: 'group/project',
    concurrentProjectId: 0,
    isProtected: false,
    buildsDir: builds,
    ...changes,
  }
  return await client.openWorkspace(request, isNew)
}

export function scriptAt(
  { control }: HelperPlaces,
  number: number,
  path: string,
  bytes = 1024 * 1024,
): HelperScript {
  const directory = join(control, String(number))
  return { number, path, output: { directory, token: 'ab12', headBytes: bytes, segmentBytes: bytes } }
}

/** Starts a script with this text. */
export async function startScript(
  { client }: Helped,
  places: HelperPlaces,
  workspace: JobWorkspace,
  number: number,
  text: string,
  { variables = {}, segmentBytes }: { variables?: Record<string, string>; segmentBytes?: number } = {},
): Promise<HelperScript> {
  const path = await workspace.writeTemporaryFile(`script-${number}`, text, 0o755)
  const script = scriptAt(places, number, path, segmentBytes)
  await client.startScript(script, variables, NEVER)
  return script
}

/** Follows a script to its end. */
export async function followToEnd(
  { client }: Helped,
  script: HelperScript,
): Promise<{ end: ScriptEnd | undefined; output: Buffer }> {
  const log = new RecordedLog()
  const end = await client.followScript(script, log.output, NEVER)
  return { end, output: log.bytes }
}
