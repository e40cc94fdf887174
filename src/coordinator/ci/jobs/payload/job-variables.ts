import { expandForRunner } from '../../../../ci-config/variables/runner-list.js'
import { HOLD_VARIABLE } from '../../../../protocol/hold-variable.js'
import type { JobVariable } from '../../../../protocol/job-payload.js'
import { environmentVariables } from './environment-variables.js'
import type { PayloadFacts } from './payload-facts.js'
import { predefinedVariables, variablesOfRelease, variablesOfUser } from './predefined-variables.js'
import { siteVariables } from './site-variables.js'

/**
 * The variables of a job from the lowest precedence to the highest, with the references among them replaced (runner
 * protocol, 10.1; CI language, 8.1).
 */
export function jobVariables(facts: PayloadFacts): JobVariable[] {
  return expandForRunner(writtenVariables(facts))
}

/** As `jobVariables`, with the references among them. */
export function writtenVariables(facts: PayloadFacts): JobVariable[] {
  const variables = [
    ...defaultHold(facts),
    ...predefinedVariables(facts),
    ...yamlVariables(facts),
    ...variablesOfUser(facts),
    ...facts.dotenvVariables,
    ...facts.settingsVariables,
    ...facts.pipelineVariables,
    ...facts.playedVariables,
    ...variablesOfRelease(facts),
    ...environmentVariables(facts),
  ]
  return [...siteVariables(facts, variables), ...variables]
}

/** The lowest precedence: every variable of the job, the project or a run overrules the default of the project. */
function defaultHold({ isHeldWhenFailed }: PayloadFacts): JobVariable[] {
  return isHeldWhenFailed ? [{ key: HOLD_VARIABLE, value: 'failure', public: true, masked: false }] : []
}

function yamlVariables({ job }: PayloadFacts): JobVariable[] {
  return job.yaml_variables.map(({ key, value, raw }) => ({
    key,
    value,
    public: true,
    masked: false,
    ...(raw && { raw }),
  }))
}
