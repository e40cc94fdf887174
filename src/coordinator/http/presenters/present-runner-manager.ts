import type { Selectable } from 'kysely'
import { type Static, Type } from 'typebox'

import type { RunnerManagerTable } from '../../database/tables/runners.js'
import { described } from '../parameters/described.js'
import { NullableText } from '../parameters/types.js'
import { isoTime } from './present-time.js'

/** One machine of a runner, as jobs and lists of runners show it (API, I6). */
export const RunnerManagerBrief = Type.Object({
  id: described(Type.Integer(), 'Number of the machine.'),
  system_id: described(Type.String(), 'Identifier that the machine generated for itself.'),
  version: described(NullableText, 'Version of the program; null if not reported.'),
  revision: described(NullableText, 'Revision of the program; null if not reported.'),
  platform: described(NullableText, 'Operating system; null if not reported.'),
  architecture: described(NullableText, 'Processor architecture; null if not reported.'),
  created_at: described(Type.String(), 'When it was first heard from.'),
  contacted_at: described(Type.String(), 'When it was last heard from, to a few minutes.'),
  ip_address: described(NullableText, 'Address it was last heard from.'),
  status: described(Type.String(), '`online`, `offline` or `stale`.'),
})
export type RunnerManagerBrief = Static<typeof RunnerManagerBrief>

/** `status` is that of its connection. */
export function presentRunnerManager(
  manager: Selectable<RunnerManagerTable>,
  status: string,
): RunnerManagerBrief {
  const { id, system_id, version, revision, platform, architecture, ip_address } = manager
  return {
    id,
    system_id,
    version,
    revision,
    platform,
    architecture,
    created_at: isoTime(manager.created_at),
    contacted_at: isoTime(manager.contacted_at),
    ip_address,
    status,
  }
}
