import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'

import { execa } from 'execa'

/** The system's Python, which has the package python3-gitlab. */
const PYTHON = '/usr/bin/python3'
const FOLDER = dirname(dirname(fileURLToPath(import.meta.url)))

/** Result of `refusal(call)` in client.py: the error of the server as the client parsed it. */
export interface PythonRefusal {
  /** The class of the exception, such as `GitlabCreateError`. */
  kind: string
  /** HTTP status. */
  status: number | null
  /** The message that the client parsed from the body. */
  message: unknown
}

/**
 * Runs a file of this folder with python-gitlab and returns the value that it passes to `answer()`. Its `start()` returns
 * `input`. Throws with its output if it fails.
 */
export async function runPython<T = Record<string, unknown>>(file: string, input: object): Promise<T> {
  const { exitCode, stdout, stderr } = await execa(PYTHON, ['-B', '-W', 'error', file], {
    cwd: FOLDER,
    input: JSON.stringify(input),
    reject: false,
    env: { PATH: process.env['PATH'] ?? '', PYTHONPATH: `${FOLDER}/support`, LANG: 'C.UTF-8' },
    extendEnv: false,
  })
  if (exitCode !== 0) throw new Error(`${file} failed:\n${stdout}\n${stderr}`)
  return JSON.parse(stdout) as T
}
