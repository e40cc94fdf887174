import type { Database } from '../database/connect.js'

/**
 * What a user is in a project or a group, without regard to what everybody may (API gaps, A15). Each level is the
 * highest of its kind, 0 without one.
 */
export interface Levels {
  /** Of a membership of the very project or group. */
  direct: number
  /** Of a membership of a group that it lies in. */
  inherited: number
  /** Of a share with a group that the user is in: of the thing itself or of a group that it lies in. */
  shared: number
  /** 50 for a project in the user's personal namespace. */
  personal: number
}

export const NO_LEVELS: Levels = { direct: 0, inherited: 0, shared: 0, personal: 0 }

/** The level that counts. */
export function highest({ direct, inherited, shared, personal }: Levels): number {
  return Math.max(direct, inherited, shared, personal)
}

/** How one user stands to each of a page of projects; those without an entry are none of the user's. */
export async function levelsInProjects(
  database: Database,
  userId: number,
  projectIds: number[],
): Promise<Map<number, Levels>> {
  const rows = await database
    .selectFrom('project')
    .innerJoin('namespace', 'namespace.id', 'project.namespace_id')
    .leftJoin('member', (join) =>
      join
        .onRef('member.project_id', '=', 'project.id')
        .on('member.user_id', '=', userId)
        .on(({ or, eb }) =>
          or([eb('member.expires_at', 'is', null), eb('member.expires_at', '>', Date.now())]),
        ),
    )
    .select(['project.id', 'namespace.owner_id', 'member.access_level'])
    .where('project.id', 'in', projectIds)
    .execute()
  return new Map(
    rows.map((row) => [
      row.id,
      { ...NO_LEVELS, direct: row.access_level ?? 0, personal: row.owner_id === userId ? 50 : 0 },
    ]),
  )
}
