import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'

import { execa } from 'execa'

/** The distribution's, which sees its package python3-gitlab. */
const PYTHON = '/usr/bin/python3'
const FOLDER = dirname(dirname(fileURLToPath(import.meta.url)))

/** What `refusal(call)` of client.py answers: how the client understood an error of the server. */
export interface PythonRefusal {
  /** The class of the exception, such as `GitlabCreateError`. */
  kind: string
  /** HTTP status. */
  status: number | null
  /** What the client read out of the body. */
  message: unknown
}

/**
 * Runs a file of this folder with python-gitlab and answers what it gave to `answer()`. `input` is what its `start()`
 * returns. Throws with everything that it printed when it fails.
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
