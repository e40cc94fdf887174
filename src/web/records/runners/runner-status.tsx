import { Badge } from '../../kit/badge.js'

const TONES: Record<string, 'success' | 'warning' | 'failed' | 'neutral'> = {
  online: 'success',
  paused: 'warning',
  draining: 'warning',
  offline: 'failed',
  stale: 'failed',
}

/** The status of a runner or of one of its machines. */
export function RunnerStatus({ status }: { status: string }) {
  return <Badge tone={TONES[status] ?? 'neutral'}>{status.replaceAll('_', ' ')}</Badge>
}

/** Words for the types of runners. */
export const RUNNER_TYPES: Record<string, string> = {
  instance_type: 'instance',
  group_type: 'group',
  project_type: 'project',
}
