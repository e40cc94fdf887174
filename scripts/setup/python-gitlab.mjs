import { installPackages } from './debian-packages.mjs'
import { run } from './run.mjs'

/** The Python of the distribution. One from a version manager cannot import the packages of the distribution. */
const PYTHON = '/usr/bin/python3'

/** The Python client of the API, which tests use against the coordinator. */
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
