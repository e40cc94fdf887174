import type { JobStep } from '../../../../protocol/job-payload.js'
import type { PayloadFacts } from './payload-facts.js'
import { releaseCommand, releaseRequest } from './release-step.js'

/** The scripts of a job; `release` and `after_script` only if the job has them (runner protocol, 2.8). */
export function jobSteps({ job }: PayloadFacts, timeout: number): JobStep[] {
  const { script, afterScript, release } = job.options
  const steps: JobStep[] = [{ name: 'script', script, timeout, when: 'on_success', allow_failure: false }]
  if (release) {
    steps.push({
      name: 'release',
      script: [releaseCommand(release)],
      timeout,
      when: 'on_success',
      allow_failure: false,
      release: releaseRequest(release),
    })
  }
  if (afterScript.length > 0) {
    steps.push({ name: 'after_script', script: afterScript, timeout, when: 'always', allow_failure: true })
  }
  return steps
}
