import { Type } from 'typebox'
import { Check } from 'typebox/value'

import { NativeStep } from '../../../protocol/native-steps.js'
import type { JobOutcome } from '../outcome.js'

/** A native step that this runner supports: a script in its own shell, with its own variables. */
export interface ScriptedStep {
  /** Unique within the job, even if step names repeat. */
  key: string
  name: string
  script: string
  env: Readonly<Record<string, string>>
}

const Steps = Type.Array(NativeStep)

/**
 * Reads `run` of a payload (CI language, 3.2). If one step is not supported, the job runs no step. The outcome then
 * names the step and a remedy.
 */
export function readNativeSteps(run: string): ScriptedStep[] | Extract<JobOutcome, { kind: 'failed' }> {
  const steps = parsed(run)
  if (!steps)
    return unsupported('The steps under `run` are not in a form that this runner knows. Update the runner.')
  const scripted: ScriptedStep[] = []
  for (const [index, { name, script, env = {} }] of steps.entries()) {
    const called = `The step "${name}" (${index + 1} of ${steps.length}) under \`run\``
    if (script === undefined) {
      return unsupported(
        `${called} has no script: \`step\` and \`func\` need the step runner of the reference, ` +
          'which this runner does not have. Write the step as a script, or use a runner that has it.',
      )
    }
    const expression = [script, ...Object.values(env)].find((text) => text.includes('${{'))
    if (expression !== undefined) {
      return unsupported(
        `${called} has an expression \`\${{ … }}\`, which only the step runner of the reference evaluates. ` +
          'Write a variable of the shell instead.',
      )
    }
    scripted.push({ key: `${index + 1}_${name}`, name, script, env })
  }
  return scripted
}

function parsed(run: string): NativeStep[] | undefined {
  try {
    const steps: unknown = JSON.parse(run)
    return Check(Steps, steps) ? steps : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

function unsupported(message: string): Extract<JobOutcome, { kind: 'failed' }> {
  return { kind: 'failed', message, reason: 'runner_unsupported' }
}
