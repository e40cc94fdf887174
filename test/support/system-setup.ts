import { ensurePythonGitlab } from '../../scripts/setup/python-gitlab.mjs'
import setUpDocker from './docker-setup.js'

/** Requirements of the system tests: a Docker engine, and the Python client of the API. */
export default async function setUpSystem(): Promise<() => Promise<void>> {
  await ensurePythonGitlab()
  return setUpDocker()
}
