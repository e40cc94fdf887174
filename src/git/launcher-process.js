// Runs programs to their end: in the process that imports it, or, started by launch-program.ts as a process of its own,
// for its parent. This is JavaScript because Node.js also has to start it from src/, without the bundle.
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * @typedef {object} Program
 * @property {string} file
 * @property {string[]} args
 * @property {Record<string, string>} env the whole environment
 * @property {string} [cwd]
 * @property {string | Uint8Array} [input]
 * @property {boolean} isGroup whether it gets a process group, which `stop` ends with all its processes
 * @property {number} maxOutputBytes of each stream; a program that prints more is stopped
 */

/**
 * @typedef {object} ProgramEnd
 * @property {number | undefined} exitCode
 * @property {Uint8Array} stdout
 * @property {Uint8Array} stderr
 * @property {string} [failure] why the program did not start or was stopped
 */

/** @typedef {{ ended: Promise<ProgramEnd>, stop: () => void }} RunningProgram */

/**
 * A program whose streams its starter holds. `hasChannel`: it also gets the file descriptor 3, on which both read and write.
 * @typedef {Omit<Program, 'input' | 'maxOutputBytes'> & { hasChannel?: boolean }} StreamedProgram
 */

/**
 * What the parent sends: a program to start, or none to stop the one with this number. The standard streams of a
 * streamed program are three connections to the socket of the launcher, which the parent makes in the order in which it
 * sends these programs; its channel is a fourth one.
 * @typedef {{ id: number, program?: Program, streamed?: StreamedProgram }} LauncherRequest
 */
/** @typedef {{ id: number, end: ProgramEnd }} LauncherResponse */
/** @typedef {{ socket: string | undefined }} LauncherStart the first message to the parent: undefined = none could be made */

export const LAUNCHER_FILE = fileURLToPath(import.meta.url)

/**
 * Starts a program. `ended` always resolves, when the program has ended and closed its output.
 * @param {Program} program
 * @returns {RunningProgram}
 */
export function startProgram({ file, args, env, cwd, input, isGroup, maxOutputBytes }) {
  try {
    const stdin = input === undefined ? 'ignore' : 'pipe'
    const child = spawn(file, args, { env, cwd, detached: isGroup, stdio: [stdin, 'pipe', 'pipe'] })
    child.stdin?.on('error', () => undefined) // it ended without reading all of it; its exit code explains more
    child.stdin?.end(input)
    return { ended: endOf(child, maxOutputBytes), stop: () => stop(child.pid, isGroup) }
  } catch (error) {
    // An argument that no program can be given, as one with a null byte.
    return { ended: Promise.resolve(notStarted(/** @type {Error} */ (error))), stop: () => undefined }
  }
}

/**
 * @param {import('node:child_process').ChildProcess} child
 * @param {number} maxOutputBytes
 * @returns {Promise<ProgramEnd>}
 */
function endOf(child, maxOutputBytes) {
  /** @type {string | undefined} */
  let failure
  /** @param {import('node:stream').Readable | null} stream */
  const collect = (stream) => {
    /** @type {Buffer[]} */
    const chunks = []
    let size = 0
    stream?.on('data', (/** @type {Buffer} */ chunk) => {
      size += chunk.length
      chunks.push(chunk)
      if (size <= maxOutputBytes) return
      failure ??= `its output exceeds ${maxOutputBytes} bytes`
      child.kill()
      stream.destroy() // processes that it has started may print on
    })
    return chunks
  }
  const stdout = collect(child.stdout)
  const stderr = collect(child.stderr)
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(notStarted(error)))
    child.once('close', (exitCode, signal) => {
      if (signal !== null) failure ??= `it was ended by ${signal}`
      resolve({
        exitCode: exitCode ?? undefined,
        stdout: Buffer.concat(stdout),
        stderr: Buffer.concat(stderr),
        failure,
      })
    })
  })
}

/**
 * Starts a program with these sockets as its standard streams, and closes them here. `ended` always resolves, when the
 * program has ended.
 * @param {StreamedProgram} program
 * @param {import('node:net').Socket[]} sockets
 * @returns {RunningProgram}
 */
function startOnSockets({ file, args, env, cwd, isGroup }, sockets) {
  const streams = sockets.slice(0, 3)
  const [, , , channel] = sockets
  try {
    // As file descriptor 3, the socket itself would not block, and shells cannot wait for it.
    /** @type {(import('node:net').Socket | 'pipe')[]} */
    const stdio = channel ? [...streams, 'pipe'] : streams
    const child = spawn(file, args, { env, cwd, detached: isGroup, stdio })
    if (channel) connect(channel, /** @type {import('node:net').Socket} */ (child.stdio[3]))
    return { ended: endOf(child, 0), stop: () => stop(child.pid, isGroup) }
  } catch (error) {
    channel?.destroy()
    return { ended: Promise.resolve(notStarted(/** @type {Error} */ (error))), stop: () => undefined }
  } finally {
    for (const stream of streams) stream.destroy()
  }
}

/**
 * Passes on what both sides write, until one of them ends.
 * @param {import('node:net').Socket} one
 * @param {import('node:net').Socket | undefined} other
 */
function connect(one, other) {
  if (!other) {
    one.destroy()
    return
  }
  passOn(one, other)
  passOn(other, one)
}

/**
 * @param {import('node:net').Socket} from
 * @param {import('node:net').Socket} to
 */
function passOn(from, to) {
  from.on('error', () => undefined) // both end then
  from.once('close', () => to.destroySoon())
  from.pipe(to)
}

/**
 * @param {Error} error
 * @returns {ProgramEnd}
 */
function notStarted({ message }) {
  return { exitCode: undefined, stdout: Buffer.of(), stderr: Buffer.of(), failure: message }
}

/**
 * @param {number | undefined} pid
 * @param {boolean} isGroup
 */
function stop(pid, isGroup) {
  if (pid === undefined) return
  try {
    process.kill(isGroup ? -pid : pid, 'SIGTERM')
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'ESRCH') throw error
  }
}

/** Serves the parent until it ends; programs that run then are waited for. */
function serve() {
  /** @type {Map<number, RunningProgram>} */
  const running = new Map()
  /** @type {{ id: number, program: StreamedProgram, isStopped?: boolean }[]} */
  const streamed = []
  /** @type {import('node:net').Socket[]} */
  const connections = []
  process.on('message', (/** @type {LauncherRequest} */ { id, program, streamed: waiting }) => {
    if (program) run(id, startProgram(program))
    else if (waiting) startStreamed({ id, program: waiting })
    else stopProgram(id)
  })
  listen((connection) => {
    connections.push(connection)
    startStreamed()
  })
  // A terminal and systemd signal every process of a service. This one is needed until its parent has ended.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => undefined)

  /** @param {{ id: number, program: StreamedProgram }} [request] */
  function startStreamed(request) {
    if (request) streamed.push(request)
    for (;;) {
      const [next] = streamed
      const wanted = next?.program.hasChannel ? 4 : 3
      if (!next || connections.length < wanted) return
      streamed.shift()
      const started = startOnSockets(next.program, connections.splice(0, wanted))
      run(next.id, started)
      if (next.isStopped) started.stop()
    }
  }

  /** @param {number} id */
  function stopProgram(id) {
    running.get(id)?.stop()
    for (const waiting of streamed) if (waiting.id === id) waiting.isStopped = true
  }

  /**
   * @param {number} id
   * @param {RunningProgram} started
   */
  function run(id, started) {
    running.set(id, started)
    void started.ended.then((end) => {
      running.delete(id)
      /** @type {LauncherResponse} */
      const response = { id, end }
      if (process.connected) process.send?.(response, () => undefined) // nobody waits for it if that fails
    })
  }
}

/**
 * Listens on a socket that only this user can reach, until the parent has ended, and tells the parent its path.
 * @param {(connection: import('node:net').Socket) => void} onConnection
 */
function listen(onConnection) {
  /** @param {LauncherStart} start */
  const tell = (start) => void process.send?.(start, () => undefined)
  /** @type {string} */
  let folder
  try {
    folder = mkdtempSync(join(tmpdir(), 'switchyard-launcher-'))
  } catch {
    tell({ socket: undefined }) // a read-only file system, for example: the parent starts these programs by itself
    return
  }
  const socket = join(folder, 'socket')
  // The bytes in the connections are for the programs.
  const server = createServer({ pauseOnConnect: true }, onConnection)
  server.once('error', () => tell({ socket: undefined })) // its path is too long, for example
  server.listen(socket, 511, () => tell({ socket }))
  const end = () => {
    server.close()
    rmSync(folder, { recursive: true, force: true })
  }
  process.once('disconnect', end)
  // The parent may have been killed before the listener was there.
  if (!process.connected) end()
}

if (process.argv[1] === LAUNCHER_FILE) serve()
