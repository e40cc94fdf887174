import { spawn } from 'node:child_process'
import { once } from 'node:events'

import Docker from 'dockerode'

export const IMAGE = 'switchyard-bench:latest'

/**
 * Milliseconds of `docker run --rm` of a shell command, its output read to the end and thrown away. Its network is the
 * engine's default, as a job's is.
 * @param {string} script
 */
export async function timeDockerRun(script) {
  const start = performance.now()
  const child = spawn('docker', ['run', '--rm', IMAGE, 'sh', '-c', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  child.stdout.resume()
  const [code] = /** @type {[number | null]} */ (await once(child, 'close'))
  if (code !== 0) throw new Error(`docker run ended with ${String(code)}`)
  return performance.now() - start
}

const engine = new Docker()

/**
 * Milliseconds of the engine's part of the same, without the program `docker`: create, attach, start, wait, remove.
 * @param {string} script
 */
export async function timeContainer(script) {
  const start = performance.now()
  const command = ['sh', '-c', script]
  const container = await engine.createContainer({ Image: IMAGE, Cmd: command, AttachStdout: true })
  const output = await container.attach({ stream: true, stdout: true, stderr: true, hijack: true })
  output.resume()
  await container.start()
  const { StatusCode: code } = /** @type {{ StatusCode: number }} */ (await container.wait())
  await container.remove({ force: true, v: true })
  if (code !== 0) throw new Error(`The container ended with ${code}`)
  return performance.now() - start
}
