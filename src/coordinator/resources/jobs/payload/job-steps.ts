import type { JobStep } from '../../../../protocol/job-payload.js'
import type { PayloadFacts } from './payload-facts.js'

/** The scripts of a job; `after_script` only where there is one (runner protocol, 2.8). */
export function jobSteps({ job }: PayloadFacts, timeout: number): JobStep[] {
  const { script, afterScript } = job.options
  const steps: JobStep[] = [{ name: 'script', script, timeout, when: 'on_success', allow_failure: false }]
  if (afterScript.length > 0) {
    steps.push({ name: 'after_script', script: afterScript, timeout, when: 'always', allow_failure: true })
  }
  return steps
}
