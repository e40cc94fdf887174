import { limits } from '../limits.js'
import type { ConfigMap } from '../yaml/config-value.js'
import { readEnvironment } from './environment.js'
import { readInherit } from './inherit.js'
import { checkJob, type JobEntry, splitNeeds } from './job.js'
import type { Location } from './location.js'
import { readMapEntry } from './map-entry.js'
import { readTriggerNeeds } from './needs.js'
import { readMatrixParallel } from './parallel.js'
import { readRefPolicy } from './ref-policy.js'
import { readRules } from './rules.js'
import { readBoolean, readStringOrStrings, shortString } from './simple-values.js'
import { readTrigger } from './trigger.js'
import { readJobVariables } from './variables.js'
import { readTriggerWhen } from './when.js'

/** Keywords of a job without a script (CI language, 3.0). */
export const triggerJobShape = {
  attributes: {
    when: readTriggerWhen,
    allow_failure: readBoolean,
    resource_group: shortString(limits.nameLength),
    extends: readStringOrStrings,
  },
  children: {
    trigger: readTrigger,
    needs: readTriggerNeeds,
    stage: shortString(limits.nameLength),
    variables: readJobVariables,
    inherit: readInherit,
    interruptible: readBoolean,
    environment: readEnvironment,
    parallel: readMatrixParallel,
    only: readRefPolicy,
    except: readRefPolicy,
    rules: readRules,
  },
}

/** Reads a map with `trigger` or `needs` and no script: it starts another pipeline, or mirrors one (CI language, 3.8). */
export function readTriggerJob(name: string, map: ConfigMap, location: Location): JobEntry | null {
  const read = readMapEntry(triggerJobShape, map, location, () => {
    checkJob(name, map, location)
  })
  if (!read) return null
  const { needs, ...rest } = read
  const [mirrors, ...others] = needs?.mirrors ?? []
  if (!rest.trigger && mirrors === undefined) {
    return location.refuse('should contain either a trigger or a needs:pipeline')
  }
  if (others.length > 0) return location.refuse('should contain at most one bridge need')
  return {
    name,
    ...rest,
    ...splitNeeds(needs && mirrors !== undefined && needs.jobs.length === 0 ? undefined : needs),
    ...(mirrors !== undefined && { mirrors }),
  }
}
