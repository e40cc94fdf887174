import { newToken } from '../../../lib/tokens.js'
import type { RunnerType } from '../../database/tables/runners.js'
import type { Runner } from './store.js'

const TYPE_PREFIXES: Record<RunnerType, string> = {
  instance_type: 't1_',
  group_type: 't2_',
  project_type: 't3_',
}

/**
 * Tells the client that a user created the runner: the client verifies it instead of registering (runner
 * protocol, 1.1).
 */
const CREATED_PREFIX = 'glrt-'

/** A new authentication token for a runner that was registered with a registration token. */
export function newRegisteredToken(type: RunnerType): string {
  return newToken(TYPE_PREFIXES[type])
}

/** A new authentication token for a runner that a user created. */
export function newCreatedToken(type: RunnerType): string {
  return newToken(CREATED_PREFIX + TYPE_PREFIXES[type])
}

/** A token of the same kind as the replaced one. */
export function replacementToken({ runner_type, creator_id }: Runner): string {
  return creator_id === null ? newRegisteredToken(runner_type) : newCreatedToken(runner_type)
}
