import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { runGit } from '../../../git/run-git.js'
import type { ApiClient, PipelineRecord, ProjectRecord } from './api-client.js'
import { CannotStartError } from './errors.js'
import { sampleFiles } from './sample/files.js'

const NAME = 'sample'
const BRANCH = 'main'

export interface SamplePipeline {
  project: ProjectRecord
  pipeline: PipelineRecord
}

/** Starts the sample pipeline: with a first push if there was none yet, else with an API request. */
export async function startSample(
  api: ApiClient,
  access: { url: string; token: string },
): Promise<SamplePipeline> {
  const project = (await api.findProject(`root/${NAME}`)) ?? (await api.createProject(NAME))
  const pipeline =
    project.default_branch === null
      ? await pushSample(api, project, access)
      : await api.createPipeline(project.id, project.default_branch)
  return { project, pipeline }
}

/** Uses the same steps as a user's own project: a commit, pushed by git. */
async function pushSample(
  api: ApiClient,
  project: ProjectRecord,
  { url, token }: { url: string; token: string },
): Promise<PipelineRecord> {
  const tree = await mkdtemp(join(tmpdir(), 'switchyard-sample-'))
  try {
    const sha = await commitSample(tree)
    const address = `${url}/${project.path_with_namespace}.git`
    await runGit(['push', '--quiet', '--', address, `${BRANCH}:${BRANCH}`], {
      cwd: tree,
      // In the environment, because other users of the machine can read the arguments of a process.
      settings: { 'http.extraHeader': `Authorization: Basic ${basic('root', token)}` },
    })
    const pipeline = await api.findPipelineOf(project.id, sha)
    if (!pipeline) throw new CannotStartError('The sample was pushed, but no pipeline was created.')
    return pipeline
  } finally {
    await rm(tree, { recursive: true, force: true })
  }
}

async function commitSample(tree: string): Promise<string> {
  await runGit(['init', '--quiet', `--initial-branch=${BRANCH}`, '--template='], { cwd: tree })
  for (const [name, content] of Object.entries(sampleFiles)) await writeFile(join(tree, name), content)
  await runGit(['add', '--all'], { cwd: tree })
  const settings = { 'user.name': 'Switchyard', 'user.email': 'switchyard@localhost' }
  await runGit(['commit', '--quiet', '--message', 'A sample with three stages'], { cwd: tree, settings })
  return (await runGit(['rev-parse', 'HEAD'], { cwd: tree })).trim()
}

function basic(name: string, password: string): string {
  return Buffer.from(`${name}:${password}`).toString('base64')
}
