/** What the choice of a host for a job depends on. */
export interface HostCandidate {
  name: string
  weight: number
  /** Maximum number of jobs at once. */
  concurrent: number
  running: number
  /** Jobs that were placed on the host, divided by its weight. */
  share: number
  /** Whether the image of the job was used there. */
  hasImage: boolean
  /** Whether a job of the same project ran there, so that its cache volumes may exist. */
  hasProject: boolean
  /** When the host last failed to prepare a job, in milliseconds since 1970. */
  failedAt: number | undefined
}

/** A host that failed gets no jobs for so long, in milliseconds, while others have room. */
const FAILURE_REST = 60_000
/** So many jobs more than its share may a host get because it has the image or the project of a job. */
const MAX_LEAD = 1

/**
 * Chooses the host of a job: one with room that did not fail lately and is furthest behind its share of the jobs. Among
 * hosts that are almost equally far, one that already has what the job needs is chosen. Undefined if none has room.
 */
export function chooseHost(candidates: readonly HostCandidate[], now: number): string | undefined {
  const withRoom = candidates.filter(({ running, concurrent }) => running < concurrent)
  const healthy = withRoom.filter(({ failedAt }) => failedAt === undefined || now - failedAt >= FAILURE_REST)
  const eligible = withoutLead(healthy.length > 0 ? healthy : withRoom)
  const [first] = eligible.sort(
    (one, other) =>
      warmth(other) - warmth(one) ||
      one.share - other.share ||
      one.running / one.concurrent - other.running / other.concurrent ||
      other.weight - one.weight ||
      (one.name < other.name ? -1 : 1),
  )
  return first?.name
}

/** The hosts that have not got more than `MAX_LEAD` jobs more than the one that is furthest behind. */
function withoutLead(hosts: readonly HostCandidate[]): HostCandidate[] {
  const least = Math.min(...hosts.map(({ share }) => share))
  return hosts.filter(({ share, weight }) => share === least || (share - least) * weight < MAX_LEAD)
}

/** Cache volumes save more than an image: they are filled by jobs, and the image may be in a registry nearby. */
function warmth({ hasImage, hasProject }: HostCandidate): number {
  return (hasProject ? 2 : 0) + (hasImage ? 1 : 0)
}
