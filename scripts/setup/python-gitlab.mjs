import { installPackages } from './debian-packages.mjs'
import { run } from './run.mjs'

/** The distribution's own Python: one that a version manager puts before it does not see the distribution's packages. */
const PYTHON = '/usr/bin/python3'

/** The Python client of the API, with which the tests drive the coordinator. */
export async function ensurePythonGitlab() {
  if (await loadsGitlab()) return
  await installPackages(['python3-gitlab'], 'test the API with the clients that people have')
}

async function loadsGitlab() {
  return run(PYTHON, ['-c', 'import gitlab']).then(
    () => true,
    () => false,
  )
}
