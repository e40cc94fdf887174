import type { ServedProject, Service } from '../../conformance/support/service.js'
import type { RunnerClient } from '../../coordinator/support/runner-client.js'

/** Stages, a parallel job, needs, a job that may fail, a manual and a delayed one. */
export const CI_FILE = `
stages: [build, test, deploy]
compile: { stage: build, script: make }
container: { stage: build, script: make image }
rspec: { stage: test, parallel: 4, needs: [compile], script: bundle exec rspec }
lint: { stage: test, script: make lint, allow_failure: true }
docs: { stage: test, needs: [], script: make docs }
staging: { stage: deploy, script: make deploy, environment: staging }
production: { stage: deploy, script: make deploy, environment: production, when: manual, manual_confirmation: 'Deploy to production?' }
cleanup: { stage: deploy, script: make clean, when: delayed, start_in: 2 hours }
`

/** How the jobs of the scene end; those that are not named succeed. */
export type Endings = Record<string, 'failed' | 'running' | 'pending'>

/**
 * Runs jobs of a runner until none is left, with a short log each, and ends them as told. `steps`: what it reports of the
 * lines of the scripts of those that fail.
 */
export async function runJobs(
  runner: RunnerClient,
  endings: Endings = {},
  steps: readonly unknown[] = [],
): Promise<void> {
  for (;;) {
    const response = await runner.request()
    if (response.status !== 201) return
    const job = (await response.json()) as { id: number; token: string; job_info: { name: string } }
    const { name } = job.job_info
    const ending = endings[name] ?? 'success'
    const log = logOf(name, ending)
    await runner.patch(job, `0-${Buffer.byteLength(log) - 1}`, log)
    if (ending === 'running') continue
    const failure =
      ending === 'failed' ? { failure_reason: 'script_failure', exit_code: 1, script_steps: steps } : {}
    const size = { output: { bytesize: Buffer.byteLength(log) } }
    await runner.update(job, ending, { ...failure, ...size })
  }
}

/** A project whose pipeline has run; resolves to the ID of the pipeline. */
export async function runPipeline(
  service: Service,
  project: ServedProject,
  runner: RunnerClient,
  endings: Endings = {},
): Promise<number> {
  await runJobs(runner, endings)
  const [pipeline] = await service.json<{ id: number }[]>('GET', `/projects/${project.id}/pipelines`)
  if (!pipeline) throw new Error('The push has started no pipeline')
  return pipeline.id
}

function logOf(name: string, ending: string): string {
  const section = (id: string, title: string, lines: string[]) =>
    `\u001B[0Ksection_start:1764000000:${id}\r\u001B[0K\u001B[36;1m${title}\u001B[0;m\n${lines.join('\n')}\n\u001B[0Ksection_end:1764000007:${id}\r\u001B[0K`
  return [
    '\u001B[0KRunning with switchyard-runner 0.1.0\u001B[0;m\n',
    section('prepare_executor', 'Preparing the "docker" executor', ['Using image ruby:3.3']),
    section('get_sources', 'Getting source from Git repository', ['Checking out 3f2a1c9 as main']),
    section('step_script', 'Executing "step_script" stage of the job script', [
      `\u001B[32;1m$ make ${name}\u001B[0;m`,
      ...(ending === 'failed'
        ? [
            'Failures:',
            '',
            '  1) Parser reads the last line',
            '\u001B[31m     expected: "b"\u001B[0m',
            '\u001B[31m          got: "a"\u001B[0m',
            'ERROR: exit code 1',
          ]
        : ['12 examples, 0 failures']),
    ]),
    ending === 'failed'
      ? '\u001B[31;1mERROR: Job failed: exit code 1\u001B[0;m\n'
      : '\u001B[32;1mJob succeeded\u001B[0;m\n',
  ].join('')
}
