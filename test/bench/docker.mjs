import { spawn } from 'node:child_process'
import { once } from 'node:events'

export const IMAGE = 'switchyard-bench:latest'

/**
 * Milliseconds of `docker run --rm` of a shell command, its output read to the end and thrown away.
 * @param {string} script
 */
export async function timeDockerRun(script) {
  const start = performance.now()
  const child = spawn('docker', ['run', '--rm', '--network', 'none', IMAGE, 'sh', '-c', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  child.stdout.resume()
  const [code] = /** @type {[number | null]} */ (await once(child, 'close'))
  if (code !== 0) throw new Error(`docker run ended with ${String(code)}`)
  return performance.now() - start
}
